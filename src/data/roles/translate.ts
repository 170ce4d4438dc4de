/** Names of columns in German, French and Spanish, word by word as the English ones that the catalogues know. Words that mean something else
 *  in English ("note", "fall", "tour") are left as they are. */

const WORDS: Readonly<Record<string, string>> = {
  // what is compared, and on what
  system: "systeme système sistema sistemas",
  model: "modell modelle modele modèle modelo",
  question: "frage fragen pregunta",
  sentence: "satz phrase oración oracion frase",
  document: "dokument documento",
  example: "beispiel exemple ejemplo",
  item: "element élément elemento objekt",
  text: "texte texto",
  task: "aufgabe aufgaben tâche tache tarea",
  dataset: "datensatz datensätze",
  id: "nummer kennung numéro numero número",
  // who judged, and how often
  rater: "gutachter gutachterin bewerter bewerterin rateur calificador",
  judge: "richter juge juez",
  annotator: "annotatorin annotateur annotatrice anotador anotadora",
  evaluator: "évaluateur evaluateur évaluatrice evaluador evaluadora",
  participant: "teilnehmer teilnehmerin versuchsperson proband participante",
  run: "durchlauf lauf durchgang exécution execution ejecución ejecucion corrida",
  repetition: "wiederholung répétition repeticion repetición",
  trial: "versuch essai intento",
  seed: "startwert zufallsstartwert graine semilla",
  criterion: "kriterium critère critere criterio",
  metric: "metrik kennzahl métrique metrique métrica metrica",
  measure: "mesure medida",
  // scores
  correct: "korrekt richtig correcte correcto correcta acierto",
  incorrect: "inkorrekt incorrecte incorrecto incorrecta",
  wrong: "falsch faux fausse",
  passed: "bestanden réussi reussi aprobado",
  solved: "gelöst geloest résolu resuelto",
  score: "punktzahl wertung puntuación puntuacion puntaje",
  rating: "bewertung urteil valutazione évaluation valoración valoracion calificación calificacion",
  points: "punkte punkt puntos",
  accuracy: "genauigkeit exactitude exactitud",
  precision: "präzision praezision précision precisión",
  correctness: "korrektheit richtigkeit",
  quality: "qualität qualitaet qualité qualite calidad",
  fluency: "flüssigkeit fluessigkeit fluidité fluidite fluidez",
  adequacy: "angemessenheit adäquatheit adéquation adecuación",
  coherence: "kohärenz cohérence coherencia",
  readability: "lesbarkeit lisibilité legibilidad",
  understandability: "verständlichkeit verstaendlichkeit",
  completeness: "vollständigkeit vollstaendigkeit complétude completitud",
  helpfulness: "nützlichkeit utilité utilidad",
  overall: "gesamt gesamteindruck gesamturteil",
  error: "fehler erreur",
  errors: "erreurs errores fehleranzahl fehlerzahl",
  "error rate": "fehlerrate fehlerquote",
  "error free": "fehlerfrei fehlerlos",
  success: "erfolg succès éxito",
  "success rate": "erfolgsrate erfolgsquote trefferquote",
  hallucination: "halluzination halluzinationen alucinación alucinacion alucinaciones",
  hallucinated: "halluziniert halluciné alucinado alucinó",
  toxicity: "toxizität toxizitaet toxicité toxicite toxicidad",
  safety: "sécurité securite seguridad",
  relevance: "relevanz pertinence relevancia",
  similarity: "ähnlichkeit aehnlichkeit similarité similitud",
  naturalness: "natürlichkeit natuerlichkeit naturel naturalidad",
  grammaticality: "grammatikalität",
  faithfulness: "treue fidélité fidelite fidelidad",
  confidence: "konfidenz gewissheit sicherheit confiance confianza",
  // costs and settings
  latency: "latenz latence latencia",
  duration: "dauer durée duree duración duracion",
  runtime: "laufzeit",
  time: "zeit temps tiempo",
  cost: "kosten coût cout coste costo",
  price: "preis prix precio",
  length: "länge laenge longueur longitud",
  temperature: "temperatur température temperatura",
  language: "sprache langue idioma",
  // turns
  not: "nicht",
  no: "kein keine",
  without: "ohne sans sin",
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
