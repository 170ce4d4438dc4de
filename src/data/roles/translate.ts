/** Names of columns in German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian, Turkish, Korean, Chinese and Japanese, word
 *  by word as the English ones that the catalogues know. Words that mean something else in English ("note", "fall", "tempo", "strata") are left as
 *  they are. */

const WORDS: Readonly<Record<string, string>> = {
  // what is compared, and on what
  system: "systeme système sistema sistemas 系统 システム система 시스템 systeem sistem",
  model: "modell modelle modele modèle modelo modello 模型 模型名称 モデル モデル名 модель 모델",
  question: "frage fragen pregunta domanda pergunta questão 问题 题目 试题 質問 問題 設問",
  sentence: "satz phrase oración oracion frase sentença 句子 文",
  document: "dokument documento 文档 文章 文書",
  example: "beispiel exemple ejemplo esempio exemplo 示例 例",
  item: "element élément elemento objekt 条目 项目 項目",
  text: "texte texto testo 文本 テキスト",
  task: "aufgabe aufgaben tâche tache tarea compito tarefa 任务 タスク",
  dataset: "datensatz datensätze 数据集 データセット",
  id: "nummer kennung numéro numero número 编号 序号 番号",
  // who judged, and how often
  rater:
    "gutachter gutachterin bewerter bewerterin rateur calificador valutatore valutatrice avaliador avaliadora 评分者 评分员 评分人 评价者 评委 評価者 採点者",
  judge: "richter juge juez giudice juiz 裁判 评审 審査員 判定者",
  annotator:
    "annotatorin annotateur annotatrice anotador anotadora annotatore 标注者 标注员 标注人 アノテーター アノテータ",
  evaluator: "évaluateur evaluateur évaluatrice evaluador evaluadora",
  participant:
    "teilnehmer teilnehmerin versuchsperson proband participante partecipante 参与者 被试 受试者 参加者 被験者",
  run: "durchlauf lauf durchgang exécution execution ejecución ejecucion corrida esecuzione 轮次 运行 実行",
  repetition: "wiederholung répétition repeticion repetición ripetizione repetição",
  trial: "versuch essai intento",
  seed: "startwert zufallsstartwert graine semilla 种子 随机种子 シード 乱数シード",
  criterion: "kriterium critère critere criterio 维度 评价维度 評価項目 観点",
  metric: "metrik kennzahl métrique metrique métrica metrica 指标 指標",
  measure: "mesure medida",
  // scores
  correct:
    "korrekt richtig correcte correcto correcta acierto corretto corretta correto correta aciertos acertos acerto 正确 是否正确 正解 正誤 正答",
  incorrect: "inkorrekt incorrecte incorrecto incorrecta",
  wrong: "falsch faux fausse",
  passed: "bestanden réussi reussi aprobado",
  solved: "gelöst geloest résolu resuelto",
  score:
    "punktzahl gesamtpunktzahl wertung puntuación puntuacion puntaje punteggio pontuação pontuacao 分数 得分 评分 成绩 总分 スコア 得点 点数 評点 점수 puan poäng",
  rating:
    "bewertung urteil valutazione évaluation valoración valoracion calificación calificacion avaliação avaliacao 评价 評価 оценка 평점 beoordeling betyg ocena",
  points: "punkte punkt puntos",
  accuracy:
    "genauigkeit exactitude exactitud accuratezza acurácia acuracia 准确率 正确率 精度 正解率 正答率 точность 정확도 정답률 doğruluk nauwkeurigheid noggrannhet träffsäkerhet dokładność exatidão 正確さ 正確性 准确度 準確率 準確度",
  precision: "präzision praezision précision precisión precisão precisione 精确率 适合率 適合率 查准率",
  recall: "rappel 召回率 再現率 查全率",
  "pass rate": "通过率 合格率",
  "failure rate": "失败率 失敗率 실패율",
  loss: "损失 損失 потери потерь 손실 kayıp verlies förlust perdita perda pérdida verlust perte",
  correctness: "korrektheit richtigkeit",
  quality:
    "qualität qualitaet qualité qualite calidad qualità qualidade 质量 品質 качество 품질 kalite kwaliteit kvalitet jakość 品质",
  fluency:
    "flüssigkeit fluessigkeit fluidité fluidite fluidez scorrevolezza fluência 流畅度 流畅性 流暢さ 流暢性 беглость 유창성 akıcılık vloeiendheid płynność fluidità fluencia",
  adequacy:
    "angemessenheit adäquatheit adéquation adecuación adeguatezza adequação 充分性 妥当性 адекватность 적절성 yeterlilik adequaatheid adekvathet adekwatność 適切さ 適切性",
  coherence: "kohärenz cohérence coherencia coerenza coerência 连贯性 一貫性",
  readability: "lesbarkeit lisibilité legibilidad",
  understandability: "verständlichkeit verstaendlichkeit",
  completeness: "vollständigkeit vollstaendigkeit complétude completitud",
  helpfulness: "nützlichkeit utilité utilidad 有用性 有帮助",
  rank: "rang rangplatz rango classement classifica posto 排名 順位",
  overall: "gesamt gesamteindruck gesamturteil",
  error: "fehler erreur errore erro 错误 ошибка 오류 에러 hata fout błąd エラー 誤り 误差",
  errors:
    "erreurs errores erros errori fehleranzahl fehlerzahl 错误数 エラー数 ошибки ошибок hatalar fouten błędy błędów",
  "error rate":
    "fehlerrate fehlerquote wortfehlerrate zeichenfehlerrate 错误率 誤り率 エラー率 오류율 오답률 foutpercentage foutenpercentage felfrekvens felprocent 誤答率 错误比例",
  "error free": "fehlerfrei fehlerlos",
  failure:
    "неудача сбой 실패 başarısızlık mislukking misslyckande porażka awaria fallimento falha fracasso fallo 失败 失敗 échec echec fallos falhas",
  harmfulness: "유해성 有害性",
  rate: "oranı",
  success:
    "erfolg succès réussite reussite éxito успех успешность 성공 başarı succes framgång sukces successo sucesso 成功",
  "success rate": "erfolgsrate erfolgsquote trefferquote 成功率 성공률 slagingspercentage",
  hallucination:
    "halluzination halluzinationen alucinación alucinacion alucinaciones allucinazione alucinação halluzinationsrate 幻觉 幻觉率 幻覚 галлюцинация галлюцинации галлюцинаций 환각 환각률 halüsinasyon hallucinatie hallucinaties hallucinationer halucynacja halucynacje allucinazioni alucinações alucinacao ハルシネーション 幻覚率",
  hallucinated: "halluziniert halluciné alucinado alucinó",
  toxicity:
    "toxizität toxizitaet toxicité toxicite toxicidad 毒性 токсичность 독성 toksisite toksiklik toxiciteit toxicitet toksyczność tossicità toxicidade",
  toxic: "toxisch toxique tóxico",
  satisfaction: "zufriedenheit satisfação",
  clarity: "klarheit clarté claridad",
  safety: "sécurité securite seguridad sicurezza segurança 安全性",
  relevance: "relevanz pertinence relevancia rilevanza relevância 相关性 関連性",
  similarity: "ähnlichkeit aehnlichkeit similarité similitud",
  naturalness: "natürlichkeit natuerlichkeit naturel naturalidad naturalezza naturalidade 自然度 自然さ",
  grammaticality: "grammatikalität",
  faithfulness: "treue fidélité fidelite fidelidad fedeltà fidelidade 忠实度 忠実性",
  confidence: "konfidenz gewissheit sicherheit confiance confianza",
  // costs and settings
  latency:
    "latenz latence latencia latenza latência 延迟 时延 レイテンシ 遅延 задержка 지연 지연시간 gecikme latentie latens fördröjning opóźnienie",
  duration: "dauer durée duree duración duracion длительность süre duur durata duração",
  runtime: "laufzeit",
  time: "zeit antwortzeit bearbeitungszeit temps tiempo 时间 時間 время 시간 svarstid antwoordtijd czas 応答時間 响应时间 wartezeit",
  cost: "kosten coût cout coste costo custo 成本 费用 コスト 費用 стоимость 비용 maliyet kostnad koszt",
  price: "preis prix precio",
  length: "länge laenge longueur longitud",
  temperature: "temperatur température temperatura",
  language: "sprache langue idioma lingua língua 语言 言語",
  judgement: "判定",
  // ids in one word
  "question id": "问题编号 题目编号 题号 问题id 题目id 質問id 問題id 質問番号 問題番号 設問番号",
  "sentence id": "句子编号 句子id 文番号 文id",
  "sample id": "样本编号 样本id サンプルid サンプル番号",
  sample: "样本 サンプル",
  // turns
  not: "nicht",
  no: "kein keine",
  without: "ohne sans sin",
  variant: "variante",
  coder: "kodierer kodiererin codierer codificador",
  category: "kategorie catégorie categoria categoría",
};

const ENGLISH = new Map(
  Object.entries(WORDS).flatMap(([english, others]) => others.split(" ").map((word) => [word, english] as const)),
);

/** Lower-case words of a name in English; "Text-Nr", "item no" and "id_pregunta" are ids of their texts, items and questions. */
export function translateWords(words: readonly string[]): string[] {
  const own = words.flatMap((word) => ENGLISH.get(word.normalize("NFC"))?.split(" ") ?? word);
  const last = own.at(-1);
  if (last === "nr" || (last === "no" && own.length > 1)) own[own.length - 1] = "id";
  return own.length === 2 && own[0] === "id" && last !== "id" ? [own[1]!, "id"] : own;
}
