/** Words as degrees of one thing: "not fluent", "somewhat fluent", "very fluent"; "zeer slecht" … "zeer goed". A level is a property, how much of it,
 *  and perhaps that it is not so; the order follows from these, whatever the property is called. */

/** How much is said by a word before or behind the property, from little to all; a property by itself stands between "moderately" and "very". */
const DEGREES: readonly (readonly [degree: number, words: string])[] = [
  [1, "barely|hardly|marginally|minimally"],
  [
    2,
    "slightly|a little|a little bit|a bit|mildly|weakly|ein wenig|leicht|un peu|légèrement|poco|un poco|ligeramente|leggermente|un po'|um pouco|ligeiramente|een beetje|licht|lite|litt|lidt|trochę|немного|слегка|trochu|biraz|有点|有些|稍微|略|少し|やや|약간|조금|sedikit|hơi|hieman|थोड़ा",
  ],
  [
    3,
    "somewhat|partially|partly|rather|sort of|kind of|etwas|eher|teilweise|plutôt|partiellement|algo|parcialmente|abbastanza|parzialmente|enigszins|gedeeltelijk|eerder|delvis|något|noget|raczej|częściowo|скорее|частично|отчасти|spíše|částečně|kısmen|比较|较|部分|다소|agak|khá|melko|osittain",
  ],
  [4, "moderately|fairly|reasonably|mäßig|modérément|moderadamente|moderatamente|matig|умеренно|umiarkowanie"],
  [4.5, "mostly|largely|generally|mainly|überwiegend|weitgehend|größtenteils|en grande partie|grotendeels|в основном"],
  [
    7,
    "very|strongly|highly|really|particularly|especially|a lot|very much|clearly|sehr|stark|très|fortement|muy|mucho|molto|muito|zeer|heel|erg|mycket|väldigt|meget|veldig|bardzo|очень|velmi|çok|很|非常|十分|とても|非常に|大変|매우|아주|جدا|جدًا|बहुत|erittäin|rất|sangat",
  ],
  [
    8,
    "extremely|completely|totally|fully|absolutely|entirely|perfectly|exceptionally|wholly|äußerst|völlig|voll und ganz|voll|absolut|vollständig|vollkommen|ganz|extrêmement|tout à fait|totalement|complètement|entièrement|parfaitement|totalmente|completamente|extremadamente|estremamente|del tutto|pienamente|completamente|plenamente|extremamente|helemaal|volledig|volkomen|geheel|helt|fuldstændig|całkowicie|zdecydowanie|w pełni|полностью|совершенно|абсолютно|крайне|zcela|naprosto|rozhodně|tamamen|kesinlikle|完全|极其|极|完全に|極めて|완전히|전적으로|täysin|hoàn toàn|sepenuhnya",
  ],
];
/** Not so at all. */
const NEVER =
  "not at all|überhaupt nicht|gar nicht|ganz und gar nicht|pas du tout|per niente|para nada|de modo algum|nada|helemaal niet|inte alls|slet ikke|wcale nie|вовсе не|совсем не|vůbec ne|hiç|完全不|一点也不|全く|전혀";
const NOT =
  "not|no|do not|does not|did not|is not|non|nicht|kein|keine|pas|não|niet|geen|inte|ikke|nie|не|ne|değil|不|tidak|không|ei|नहीं";
/** "Unclear" of "clear": what stands before the property where it is not so. */
const OPPOSITE = /^(un|in|im|ir|il|dis|non ?|des|dés|on|miss|nie|не|ne|不)$/;
/** Opposites that no prefix makes. */
const PAIRS: readonly (readonly [less: string, more: string])[] = [
  ["discordo", "concordo"],
  ["katılmıyorum", "katılıyorum"],
  ["difficult", "easy"],
  ["hard", "easy"],
  ["schwierig", "einfach"],
  ["worse", "better"],
];
/** Neither one nor the other. */
const MIDDLE =
  /^(neutral|neutraal|neutre|neutro|neutralny|нейтрально|neutrální|nötr|neither|both equally|undecided|no opinion|in between|so so|teils ?\/? ?teils|unentschieden|kararsızım|trudno powiedzieć|ani tak ani nie|затрудняюсь ответить|一般|中立|普通|どちらともいえない|보통|보통이다|نوعا ما|mixed|about the same|the same|equal)$|^(neither .+ nor|weder .+ noch|ni .+ ni|né .+ né|nem .+ nem|ani .+ ani|ни .+ ни|noch .+ noch|varken .+ eller|hverken .+ eller|ne .+ ne) /;
/** What says itself how good it is. */
const GOODNESS: ReadonlyMap<string, number> = new Map(
  (
    [
      [
        -7.5,
        "terrible|awful|horrible|dreadful|unacceptable|abysmal|worst|katastrophal|affreux|pésimo|pessimo|péssimo|отвратительно|ужасно|kamala",
      ],
      [
        -5,
        "bad|poor|schlecht|mauvais|mauvaise|malo|mala|cattivo|cattiva|scarso|scarsa|ruim|mau|má|slecht|dålig|dåligt|dårlig|dårligt|źle|zły|zła|złe|плохо|плохой|плохая|плохое|špatné|špatný|špatná|špatně|kötü|差|悪い|나쁨|나쁘다|سيء|سيئ|खराब|huono|tệ|kém|buruk|jelek",
      ],
      [-3, "marginal|below average|weak|subpar|unterdurchschnittlich"],
      [
        0,
        "ok|okay|fair|average|mediocre|acceptable|mittel|mittelmäßig|durchschnittlich|moyen|moyenne|regular|medio|media|mediocre|médio|média|gemiddeld|matig|middel|middelmatig|okej|medel|średnio|średni|przeciętnie|przeciętny|нормально|средне|удовлетворительно|průměrné|průměrný|průměrně|orta|一般|普通|中等|보통|متوسط|مقبول|ठीक|औसत|kohtalainen|keskinkertainen|bình thường|trung bình|cukup|sedang",
      ],
      [3, "above average|decent|überdurchschnittlich"],
      [
        5,
        "good|gut|bon|bonne|bueno|buena|buono|buona|bom|boa|goed|bra|god|godt|dobrze|dobry|dobra|dobre|хорошо|хороший|хорошая|хорошее|dobré|dobrý|dobrá|dobře|iyi|好|良い|よい|좋음|좋다|جيد|अच्छा|hyvä|tốt|baik|bagus",
      ],
      [6.5, "great"],
      [
        9,
        "excellent|outstanding|exceptional|superb|perfect|flawless|ideal|best|ausgezeichnet|hervorragend|perfekt|excellente|parfait|excelente|perfecto|eccellente|ottimo|ottima|ótimo|ótima|uitstekend|uitmuntend|utmärkt|fremragende|doskonale|doskonały|świetnie|отлично|отличный|превосходно|výborné|výborný|výborně|mükemmel|harika|优秀|完美|최고|ممتاز|उत्कृष्ट|erinomainen|xuất sắc|luar biasa",
      ],
    ] as const
  ).flatMap(([value, words]) => words.split("|").map((word) => [word, value] as const)),
);

interface Phrase {
  readonly text: string;
  readonly kind: "degree" | "not" | "never";
  readonly degree: number;
}

/** Of a property by itself, and of one with "very". */
const [PLAIN, STRONG, WHOLE] = [5, 7, 8];
/** "Not very helpful" is more than "not helpful" and less than "slightly helpful". */
const NOT_VERY = -2.5;

/** The longest first, so that "not at all" is not "not". */
const PHRASES: readonly Phrase[] = [
  ...DEGREES.flatMap(([degree, words]) => words.split("|").map((text) => ({ text, kind: "degree" as const, degree }))),
  ...NEVER.split("|").map((text) => ({ text, kind: "never" as const, degree: WHOLE })),
  ...NOT.split("|").map((text) => ({ text, kind: "not" as const, degree: PLAIN })),
].sort((a, b) => b.text.length - a.text.length);

interface Parsed {
  /** What is left without degrees and negations. */
  readonly property: string;
  /** In the order in which they stand. */
  readonly said: readonly Phrase[];
}

export interface Degrees {
  /** Of each word; only their order means something. */
  readonly values: readonly number[];
  /** The property that more of it is; undefined where the words say themselves what is good. */
  readonly property?: string | undefined;
}

/** Where the words stand on a scale that all of them are degrees of, each its own; undefined where there is none. Words in lower case. */
export function degreesOf(words: readonly string[]): Degrees | undefined {
  const parsed = words.map((word) => (MIDDLE.test(word) ? undefined : parse(word)));
  const values = words.map((word, i) => GOODNESS.get(word) ?? goodnessOf(parsed[i]));
  if (areSteps(values)) return { values };
  const properties = [...new Set(parsed.flatMap((one) => (one === undefined ? [] : [one.property])))];
  const property = positiveProperty(properties);
  if (property === undefined) return undefined;
  const own = parsed.map((one) => (one === undefined ? 0 : valueAt(one, one.property === property ? 1 : -1)));
  return areSteps(own) ? { values: own, property } : undefined;
}

const areSteps = (values: readonly number[]): boolean =>
  values.every(Number.isFinite) && new Set(values).size === values.length;

/** All levels have one property, or it and its opposite. */
function positiveProperty(properties: readonly string[]): string | undefined {
  const [one = "", two] = properties;
  if (two === undefined) return properties.length === 1 ? one : undefined;
  if (properties.length > 2) return undefined;
  // "mee oneens" and "mee eens" share what stands before
  const lead = one.lastIndexOf(" ") + 1;
  const shared = one.slice(0, lead);
  const opposed = (all: string, other: string): boolean => {
    if (!all.startsWith(shared) || !other.startsWith(shared)) return false;
    const [less, more] = [all.slice(lead), other.slice(lead)];
    return (
      (more.length > 2 && less.endsWith(more) && OPPOSITE.test(less.slice(0, -more.length))) ||
      PAIRS.some((pair) => pair[0] === less && pair[1] === more)
    );
  };
  return opposed(one, two) ? two : opposed(two, one) ? one : undefined;
}

function goodnessOf(parsed: Parsed | undefined): number {
  if (parsed === undefined) return 0;
  const goodness = GOODNESS.get(parsed.property);
  if (goodness === undefined || Math.abs(goodness) !== PLAIN) return Number.NaN;
  return valueAt(parsed, Math.sign(goodness));
}

/** NaN where a reader would not know: "not bad", "not fully supported". */
function valueAt({ said }: Parsed, sign: number): number {
  const [first, second] = said;
  if (first === undefined) return sign * PLAIN;
  if (said.length > 2) return Number.NaN;
  const refused = said.find(({ kind }) => kind !== "degree");
  if (refused === undefined) return second === undefined ? sign * first.degree : Number.NaN;
  if (sign < 0) return Number.NaN;
  if (second === undefined) return -refused.degree;
  if (first.kind === "degree") return second.kind === "not" ? -first.degree : Number.NaN;
  return first.kind === "not" && second.kind === "degree" && second.degree === STRONG ? NOT_VERY : Number.NaN;
}

/** Han, kana: words that no blank parts. */
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LONGEST = 60;

function parse(word: string): Parsed {
  if (word.length > LONGEST) return { property: word, said: [] };
  const parted = !UNPARTED.test(word);
  const told = word.replace(/\bnot (.{1,40}) at all\b/, "not at all $1");
  let rest = parted ? ` ${told.replace(/[.,!]/g, " ").replace(/\s+/g, " ").trim()} ` : word;
  const said: { readonly at: number; readonly phrase: Phrase }[] = [];
  for (const phrase of PHRASES) {
    const text = parted ? ` ${phrase.text} ` : phrase.text;
    const at = rest.indexOf(text);
    // without blanks a degree stands in front of what it is one of, and "不" is also part of other words
    if (
      at < 0 ||
      (!parted &&
        (at > 0 || !UNPARTED.test(phrase.text)) &&
        !said.some((one) => one.at + one.phrase.text.length === at))
    )
      continue;
    said.push({ at, phrase });
    // what was read leaves a mark, so that the places of the others stay what they are
    rest =
      rest.slice(0, at) +
      (parted ? ` ${"\u0000".repeat(phrase.text.length)} ` : "\u0000".repeat(text.length)) +
      rest.slice(at + text.length);
  }
  const property = rest.replaceAll("\u0000", "").replace(/\s+/g, " ").trim();
  return { property, said: said.sort((a, b) => a.at - b.at).map(({ phrase }) => phrase) };
}
