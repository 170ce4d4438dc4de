/** Which way is better, told by the name of a score: a catalogue of words and stems, read with their negations. A name that the catalogue
 *  does not know, or that means either ("length", "refusal", "score_diff"), is left open: then the user says it, or the verdict does not.
 *
 *    measure   accuracy, f1, error, loss, latency: decides for what stands before it (toxicity_detection_f1, accuracy_loss)
 *    cost      latency, price: a measure, but a score or a rating for it may be high where it is low
 *    likeness  similarity, correlation: a measure, unless it is with what is bad (error_correlation)
 *    rate      win rate, success rate: a measure, unless it is an attack or something harmful that succeeds (jailbreak_success_rate)
 *    property  correct, helpful, toxic, failed: what is counted or judged
 *    attack    jailbreak, injection: whose success that would be is left open
 *    plain     score, rating, points: more is better unless another word says something else, or a word that nobody knows says what is scored
 *    at        fpr@tpr95, recall_at_precision_90: what stands before it is measured
 *    turns     no_error, 1-wer, non_toxic, error_free, accuracy_drop, neg_mean_squared_error; error_detection, toxicity_avoidance
 *    open      diff, delta, ratio, std, refusal, length: what they mean is not for a name to say */

import { BENCHMARK_NAMES, SYSTEM_LEVEL } from "./names.ts";
import { translateWords } from "./translate.ts";

const list = (names: string): readonly string[] => names.split(/\s+/).filter((name) => name !== "");

/** Whole words; final digits do not count ("rouge1", "recall5"). */
const WORDS: readonly (readonly [Kind, 1 | -1 | 0, string])[] = [
  [
    "measure",
    1,
    `accuracy acc f1 f2 f05 fscore fbeta fmeasure precision recall auc auroc auprc aucroc aucpr roc ap map ndcg dcg mrr hit hits em exactmatch bleu
     sacrebleu spbleu gleu chrf chrfpp comet cometkiwi xcomet bleurt bertscore bartscore meteor rouge rougel rougelsum nist cider spice
     mcc kappa qwk iou miou dice jaccard r2 rsquared sensitivity specificity tpr tnr tp tn
     truepositive truepositives truenegative truenegatives loglikelihood loglik logprob logprobs llh psnr ssim wip throughput qps tps fps
     speed speedup elo bestworst bws trueskill bradleyterry clickthroughrate ctr episodereturn utility
     mos utmos dnsmos pesq stoi snr sdr sisdr sdri sisdri rbp r² cindex explainedvariance nmi ami ari vmeasure
     silhouette las uas jga smatch qem lddt gdt gdtts pck factscore csat nps mc1 mc2 instructionfollowing goalcompletion
     codebleu sentbleu yisi gemba alignscore summac questeval qafacteval unieval factcc veriscore aupr clipscore anls goodput cmos smos dmos
     nisqa sisnr vmaf ppv npv rtfx maj geval prec rec sari icc krippendorff krippendorffalpha inceptionscore moverscore glicko reciprocalrank youden youdenj costeffectiveness
     costeffective costefficiency uptime mtbf mttf elbo meanopinionscore gmean episodicreturn meanreturn averagereturn avgreturn
     returnmean evalreturn envreturn`,
  ],
  [
    "likeness",
    1,
    "pearson pearsonr spearman spearmanr correlation similarity sim kendall kendalltau corrcoef concordance",
  ],
  ["rate", 1, "winrate successrate passrate resolverate acceptrate reward"],
  [
    "measure",
    -1,
    `loss ter wer cer mer wil ser hter eer der ppl nll rmse mse mae mape smape rmsle nrmse brier ece mce crps bce crossentropy xent bpb bpc bpw
     bitsperbyte bitsperchar bitspercharacter bitsperword bitspertoken natspertoken fpr fnr fdr frr fp fn jer msle medae medianae jsd mmd tvd fad
     emd assd hd editdist levdist falsepositive falsepositives
     falsenegative falsenegatives falsealarm falsealarms falsediscovery distance editdistance levenshtein divergence kl regret surprisal fid
     lpips metricx aic bic deviance logloss hamming wasserstein chamfer hausdorff mpjpe ade fde epe absrel sqrel mcd mindcf jitter optimalitygap generalizationgap generalisationgap demographicparitygap demographicparitydifference
     equalizedoddsdifference nasatlx workload cognitiveload falseaccept falseaccepts falseacceptance falseacceptances falsereject falserejects
     falserejection falserejections falsematch falsenonmatch fvd mase wape rmsd aer biasgap fairnessgap paritygap gendergap`,
  ],
  [
    "cost",
    -1,
    `latency ttft tpot time runtime walltime duration elapsed seconds secs ms msec millis milliseconds delay cost costs price usd dollars gpuhours
     kwh joules co2 co2e emissions vram peakmemory peakmem rtf realtimefactor wallclock itl tbt wh carbon memorymb memorygb memorymib memorygib
     memoryusage memoryused downtime mttr energyconsumption powerconsumption energyused overhead slowdown`,
  ],
  [
    "property",
    1,
    `correct correctly correctness accurate pass passed passes passing success succeeded succeeds win wins won winner solve solved solves resolved
     ok right valid validity match matched matches harmless harmlessness quality usefulness useful usability factual factuality naturalness natur
     good clarity nontoxic taskcompletion completionrate complete completed completeness agree agreement acceptance accepted acceptable
     approval approved profit revenue conversion conversions retention preferredrate preferred da followed follows adherence adherent compiles
     compiled parseable wellformed executable achieved goalreached goalsreached reachedgoal thumbsup upvotes likes supported fair fairness
     natural clear intelligibility thoroughness comprehensiveness originality professionalism proved stable availability upvote humanlikeness
     humanness`,
  ],
  [
    "property",
    -1,
    `losses lost lose loses harm harms harmed harmful harmfulness hate hateful err errs bug bugs bad worst risk risks edits miss misses missed
     penalty penalties severity timeout timeouts churn bounce slur slurs overrefusal overrefusals falserefusal falserefusals drops nsfw timedout
     retries sexual selfharm identityattack identityhate thumbsdown downvotes dislikes demerits
     rewardhacking rewardhack rewardhacks chairi chairs limithit limithits hitlimit hitslimit maxstepshit hitmaxsteps stepslimit truncated
     broken offtopic falseclaim falseclaims falsestatement falsestatements attrition defeat defeats demerit spam rude rudeness lie lies lying
     evasive evasiveness waste wasted mortality deaths accidents boredom boring typos flaw flaws fatigue discomfort pii oom`,
  ],
  ["plain", 1, "score scores scr rating ratings points stars marks overall"],
  // how many of what is known is as good or bad as it; how many scores there are says nothing
  ["plain", 0, "count counts"],
  [
    "property",
    0,
    `length len size tokens token words chars characters steps turns rank ranks ranking entropy bias biased verbosity compliance complied flagged
     blocked diversity novelty coverage calibration confidence mqm severityscore tie ties winloss
     memory temperature margin overlap power rejected rejection sentiment polarity formality
     complexity difficulty uncertainty subjectivity emotion emotions anger sadness fear arousal valence intensity gradelevel readinggrade
     readinglevel readabilitygrade flesch anomaly suspicion depression anxiety stress pain
     brevitypenalty toxigen crowspairs
     errorbudget riskreward risktolerance riskaversion lossaversion costbenefit lengthcorrelation survivaltime timeonsite timeontask timeinrange
     dwelltime watchtime sessiontime screentime playtime lifetime timestep timesteps timeofday exposuretime durationofstay distancecovered
     distancetravelled distancetraveled distancedriven riskappetite questionmarks exclamationmarks houseprice saleprice stockprice marketprice
     closingprice shareprice`,
  ],
  ["attack", 0, "asr redteam redteaming harmfulrequest harmfultask powerseeking opponent opponents rival rivals"],
];

/** Beginnings of words. */
const STEMS: readonly (readonly [Kind, 1 | -1 | 0, string])[] = [
  ["measure", -1, "error perplex latenc"],
  ["measure", 1, "accurac"],
  [
    "property",
    1,
    `success safe honest truthful faithful grounded helpful coheren consisten fluen adequa relevan readab grammatical informative polite
     empath cohes likab engag creativ satisf robust efficien concise understandab interesting trustworth reliab plausib appropriate likeab insightful effective stabil`,
  ],
  [
    "property",
    -1,
    `hallucinat halluc toxic wrong mistake fail crash exception defect fault violat leak contradict omission omitted repetiti redundan stereotyp insult
     threat profan obscen offensive abus plagiar misinform deception deceptive deceiv sycophan danger vulnerab miscalibrat overconfiden underconfiden
     complain forget gibberish nonsens untranslat mistranslat overtranslat undertranslat misclassif contamin fabricat
     disparit collision escalat annoy frustrat harass violen memoriz memoris regurgitat confabulat misalign racis sexis
     malform abandon infraction hostil aggressi bully mislead terroris extremis volatil cringe`,
  ],
  ["property", 0, "refus abstain abstention"],
  [
    "attack",
    0,
    `attack jailbr injection exploit adversar backdoor poison hijack exfiltrat phish evasion malicious misuse cheat sabotag scheming sandbag
     manipulat blackmail hacking hacked persua fraud malware weapon bomb ransom criminal`,
  ],
];

/** Two or three words that are one name. */
const LONGEST = 3;
/** Turn the next known word, across words that only say how it was summed up. */
const NEGATIONS = new Set(
  list("no not non zero without neg negative negated minus anti low poor lack lacks lacking never inverse"),
);
const SUMMED = new Set(
  list(
    "mean avg average median total sum num number n count of any the a squared absolute abs relative root log max min",
  ),
);
/** Turned by whoever wrote the file, before the word as after it; which way it reads now is his to say. */
const INVERTED = new Set(list("inverted inv reverse reversed flipped complement"));
/** Turn the word before. */
const FREE = new Set(list("free less freeness"));
/** Less of it: the opposite of the word before; of what nobody knows a fall is bad, a reduction may be wanted. */
const FALLS = new Set(list("drop decrease decline degradation deterioration regression degraded"));
const REDUCTIONS = new Set(list("reduction reductions reduced removal removed saved saving savings"));
/** Before a word as well: saved_time, avoided_cost; what is bad turns good, of what is good they say nothing. */
const SPARED = new Set(list("reduced removed saved saving avoided prevented"));
/** More of it. */
const RISES = new Set(list("increase rise growth"));
const GAINS = new Set(list("gain gains improve improves improved improvement improvements lift uplift"));
/** Something done against what is bad; against what is good they say nothing. */
const AGAINST = new Set(
  list(
    "correction corrected recovery recovered prevention prevented fixed fix fixes repair repaired handling tolerance tolerant resistance " +
      "resistant resilience resilient avoidance avoided mitigation mitigated awareness resolution rejection free",
  ),
);
/** Found in an answer, or found by the system: the name does not say which, but a rate of detection is the finder's. */
const FOUND = new Set(list("detected detection found identified discovered spotted reported"));
/** What is wrong with the good that stands before: safety issues, consistency violations. */
const TROUBLES = new Set(
  list(
    "issue issues problem problems concern concerns incident incidents flag flags alert alerts complaint complaints violation violations " +
      "failure failures risk risks mistake mistakes defect defects fault faults omission omissions contradiction contradictions hallucination " +
      "hallucinations inconsistency inconsistencies",
  ),
);
/** Outcomes that stand beside their opposite: success_failure. */
const OUTCOMES = new Set(list("success pass passed win wins correct"));
const OPEN = new Set(
  list(
    "diff difference differences delta change gap ratio shift std stdev stddev sd variance var se stderr sem standarderror odds lower upper " +
      "pvalue threshold versus vs trend slope zscore selfbleu membershipinference selfsimilarity pairwisesimilarity trainsimilarity " +
      "trainingsimilarity rankby rankedby sortedby orderedby",
  ),
);
/** At the end of a name they say which, or how it was set, not how much: error_code, loss_weight, failure_mode. */
const NO_AMOUNTS = new Set(
  list(
    "code codes type types kind kinds mode modes weight weights message messages limit tier band reason reasons name names id",
  ),
);
const TIMES = new Set(list("second seconds sec secs s minute minutes min hour hours ms millisecond milliseconds"));
const WORK = new Set(
  list(
    "tokens token tok toks words items requests queries samples examples chars characters frames sentences steps tasks",
  ),
);
/** How much of it was spent until something was reached: steps_to_solve, time_to_first_token. */
const SPENT = new Set(
  list("time seconds minutes hours steps turns attempts tries iterations epochs queries clicks calls samples episodes"),
);
const PREFIX = /^(un|in|im|ir|dis|non|mis|anti)(?=.{3})/;

/** What a score or a rating may be of without its being bad: who gave it, how it was summed up, on which part, and what people are good at. */
const SCORED = new Set(
  list(
    `final total raw norm normed normalized normalised scaled weighted adjusted macro micro best main primary aggregate aggregated combined composite
     global general percent percentage pct num points human model models system systems llm ai judge judges judged rater raters annotator user users
     expert experts crowd peer teacher auto automatic manual eval evals evaluation evaluator test dev val validation valid train task tasks item items
     question questions answer answers response responses output outputs prediction text sentence segment doc document summary translation
     benchmark bench exam quiz graded grader rubric metric metrics subjective objective likert first second third new old baseline ours base target
     mine skill skills ability performance perf capability reasoning math maths mathematics coding code programming science physics chemistry
     biology history law legal medical clinical knowledge reading writing listening speaking language english german french spanish italian
     chinese japanese logic planning retrieval search leaderboard arena game team player round image video audio speech voice visual vision
     content style structure format organization organisation grammar vocabulary spelling presentation impression experience preference
     mean avg average median sum max min of on in by for from the a an and per with to vs`,
  ),
);

type Kind = "measure" | "cost" | "likeness" | "rate" | "property" | "attack" | "plain";
interface Known {
  readonly kind: Kind;
  readonly sign: 1 | -1 | 0;
}

const CATALOGUE = new Map<string, Known>(
  WORDS.flatMap(([kind, sign, names]) => list(names).map((name) => [name, { kind, sign }] as const)),
);
const BEGINNINGS = STEMS.flatMap(([kind, sign, names]) => list(names).map((stem) => ({ stem, kind, sign })));

/** true: more is better; false: less is; undefined: the name does not tell. */
export function metricDirection(name: string): boolean | undefined {
  // leaderboards draw it
  if (/[↑⬆▲]/u.test(name)) return true;
  if (/[↓⬇▼]/u.test(name)) return false;
  const ends = directionOfEnds(name);
  if (ends !== undefined) return ends;
  // precision and recall at a depth
  if (/^(p|r)(@|_at_|_)\d+$/i.test(name)) return true;
  const words = measured(wordsOf(name));
  if (words.length > 1 && NO_AMOUNTS.has(words.at(-1)!)) return undefined;
  const to = words.indexOf("to", 1);
  if (to > 0 && to < words.length - 1 && words.slice(0, to).some((word) => SPENT.has(word)))
    // time to failure is to be long
    return signOf(words.slice(to + 1)) < 0 ? undefined : false;
  const between = words.indexOf("between", 1);
  if (between > 0 && words.slice(0, between).some((word) => SPENT.has(word)))
    return signOf(words.slice(between + 1)) < 0 ? true : undefined;
  const per = words.indexOf("per");
  const isOneName = CATALOGUE.has(words.slice(per - 1, per + 2).join(""));
  const sign = signOf(per > 0 && !isOneName ? rateOf(words, per) : words);
  return sign === 0 ? undefined : sign > 0;
}

const END = /(\d{1,3}) ?[=:] ?(?:very |sehr |extremely )?(\p{L}+)/giu;
const GOOD_END = /^(best|excellent|good|great|perfect|gut|beste|ausgezeichnet|excelente|bueno|bon|excellent)$/;
const BAD_END = /^(worst|poor|bad|terrible|awful|schlecht|ungenügend|malo|mauvais)$/;

/** "Grade (1 = best)", "quality (1 = very bad, 5 = very good)": the ends of the scale are said; of one of them alone 1 is the lower end. */
function directionOfEnds(name: string): boolean | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const ends = [...name.matchAll(END)].map(([, end, word]) => ({ end: Number(end), word: word!.toLowerCase() }));
  const good = ends.find(({ word }) => GOOD_END.test(word))?.end;
  const bad = ends.find(({ word }) => BAD_END.test(word))?.end;
  if (good === undefined && bad === undefined) return undefined;
  return (good ?? (bad! <= 1 ? Number.POSITIVE_INFINITY : 0)) > (bad ?? (good! <= 1 ? Number.POSITIVE_INFINITY : 0));
}
const LONGEST_NAME = 200;

/** Whether a name ends in a measure of the catalogue (bleu, wer, latency_ms), not in a property, which labels have too (correct, bad). */
export function isMeasure(name: string): boolean {
  const last = readWords(measured(wordsOf(name)))?.at(-1);
  return last !== undefined && decides(last);
}

/** An attack, or an opponent: what is good for them is not for the system. */
export const namesAttack = (name: string): boolean =>
  readWords(measured(wordsOf(name)))?.some(({ kind }) => kind === "attack") === true;

/** Whether a name has a direction by something else than "score" or "overall". */
export const saysWhatIsGood = (name: string): boolean =>
  metricDirection(name) !== undefined &&
  readWords(measured(wordsOf(name)))?.some(({ kind }) => kind !== "plain") === true;

const decides = ({ kind }: Known): boolean => kind !== "property" && kind !== "attack" && kind !== "plain";

/** Without the condition: of a false positive rate at a recall of 95 % the first is measured. */
function measured(words: readonly string[]): readonly string[] {
  const at = words.indexOf("at", 1);
  return at > 0 && signOf(words.slice(0, at)) !== 0 ? words.slice(0, at) : words;
}

/** "errorRate", "BLEUScore", "p95_latency_ms". */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/\bP@(?=\d|k)/gi, "precision@")
    .replace(/\bA?R@(?=\d|k)/gi, "recall@")
    .replace(/\bHR@(?=\d|k)/gi, "hits@")
    // 1-wer, -loss; not 1-best, which turns nothing that is known
    .replace(/^\s*(?:(?:1|100|1\.0)\s*)?[-−–]\s*(?=\p{L})/u, "minus ")
    .replace(/@/g, " at ")
    // numbers of 8 bits, not false positives
    .replace(/(?<![\p{L}\p{N}])fp(?=(?:4|8|16|32|64)(?!\p{N}))/giu, "float")
    .replace(/\/(s|sec|second|min|minute|hour)$/i, " per $1")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(?<=\p{Lu}{2})(?=\p{Lu}\p{Ll}{2})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return translateWords(words);
}

/** What is counted before "per" decides: errors per word, seconds per item; work per time is speed. */
function rateOf(words: readonly string[], per: number): readonly string[] {
  const counted = words.slice(0, per);
  const isSpeed = counted.some((word) => WORK.has(word)) && words.slice(per + 1).some((word) => TIMES.has(word));
  return isSpeed ? ["throughput"] : counted;
}

function signOf(words: readonly string[]): 1 | -1 | 0 {
  const known = readWords(words);
  if (known === undefined || known.length === 0) return 0;
  const last = known.findLastIndex(decides);
  if (last >= 0) {
    const { sign, kind } = known[last]!;
    if (kind === "rate" && known.some((own) => own.kind === "attack" || (own.kind === "property" && own.sign < 0)))
      return 0;
    if (kind === "likeness" && known.slice(0, last).some((own) => own.sign < 0)) return 0;
    if (kind === "cost" && known.slice(last).some((own) => own.kind === "plain" && own.sign > 0)) return 0;
    return known.slice(last).every((own) => own.kind === "plain" || own.sign === sign) ? sign : 0;
  }
  const told = known.filter(({ kind }) => kind !== "plain");
  if (told.length === 0 && !words.every(mayBeScored)) return 0;
  const all = told.length > 0 ? told : known;
  return all.every(({ sign }) => sign === all[0]!.sign) ? all[0]!.sign : 0;
}

/** A word beside "score" of which it may be: numbers, initials, models and benchmarks too. */
const mayBeScored = (word: string): boolean =>
  SCORED.has(word.replace(/(?<!\d)\d+$/, "")) ||
  lookUpWord(word)?.kind === "plain" ||
  /^(\p{N}+|\p{L}{1,2}\d*)$/u.test(word) ||
  SYSTEM_LEVEL.test(word) ||
  BENCHMARK_NAMES.has(word);

/** The known words in their order, turned where the name turns them; undefined where a word leaves all open. */
function readWords(words: readonly string[]): Known[] | undefined {
  const known: Known[] = [];
  let turned = false;
  let spared = false;
  let adjacent = false;
  for (let at = 0; at < words.length; ) {
    const found = lookUp(words, at, LONGEST);
    const word = words[at]!;
    if (OPEN.has(word + (words[at + 1] ?? ""))) return undefined;
    if (adjacent && TROUBLES.has(word) && known.at(-1)!.sign > 0 && !OUTCOMES.has(words[at - 1]!)) {
      known[known.length - 1] = { kind: "measure", sign: -1 };
      at += 1;
      continue;
    }
    if (found !== undefined && !(adjacent && AGAINST.has(word))) {
      known.push(turned ? opposite(found.known) : spared ? sparing(found.known) : found.known);
      at += found.length;
      [turned, spared, adjacent] = [false, false, true];
      continue;
    }
    if (OPEN.has(word) || INVERTED.has(word)) return undefined;
    change(word, known, { adjacent, first: at === 0, next: words[at + 1] });
    spared = SPARED.has(word) || (REDUCTIONS.has(word) && known.length > 0) || (spared && SUMMED.has(word));
    turned = NEGATIONS.has(word) || (turned && SUMMED.has(word));
    adjacent = false;
    at += 1;
  }
  return known;
}

/** A word that changes the one before it. */
function change(
  word: string,
  known: Known[],
  { adjacent, first, next }: { readonly adjacent: boolean; readonly first: boolean; readonly next: string | undefined },
): void {
  const before = known.at(-1);
  const measure = (sign: number): void => void known.push({ kind: "measure", sign: Math.sign(sign) as Known["sign"] });
  if (GAINS.has(word)) measure(1);
  else if (FALLS.has(word) && !(first && before === undefined)) measure(before === undefined ? -1 : -before.sign);
  else if (REDUCTIONS.has(word)) measure(before === undefined ? 0 : -before.sign);
  else if (RISES.has(word)) measure(before?.sign ?? 0);
  else if (adjacent && before!.sign < 0 && FOUND.has(word))
    known[known.length - 1] = { kind: "measure", sign: word === "detection" && next === "rate" ? 1 : 0 };
  else if (adjacent && before!.sign < 0 && (AGAINST.has(word) || FREE.has(word)))
    known[known.length - 1] = { kind: "measure", sign: 1 };
}

const opposite = ({ kind, sign }: Known): Known => ({ kind, sign: (kind === "plain" ? 0 : -sign) as 1 | -1 | 0 });

const sparing = ({ kind, sign }: Known): Known => ({ kind, sign: sign < 0 ? 1 : 0 });

/** The longest run of words from here that the catalogue has. */
function lookUp(
  words: readonly string[],
  at: number,
  longest: number,
): { readonly known: Known; readonly length: number } | undefined {
  for (let length = Math.min(longest, words.length - at); length > 1; length -= 1) {
    const known = CATALOGUE.get(words.slice(at, at + length).join(""));
    if (known !== undefined) return { known, length };
  }
  const known = lookUpWord(words[at]!);
  return known === undefined ? undefined : { known, length: 1 };
}

function lookUpWord(word: string): Known | undefined {
  const plain = word.replace(/(?<!\d)\d+$/, "");
  const found = CATALOGUE.get(word) ?? CATALOGUE.get(plain) ?? beginning(plain);
  if (found !== undefined) return found;
  const prefix = PREFIX.exec(plain)?.[0];
  // improved is not the opposite of proved
  if (prefix === undefined || GAINS.has(plain)) return undefined;
  const rest = plain.slice(prefix.length);
  const base = CATALOGUE.get(rest) ?? beginning(rest);
  return base === undefined || base.kind === "plain" ? undefined : opposite(base);
}

function beginning(word: string): Known | undefined {
  const found = BEGINNINGS.find(({ stem }) => word.startsWith(stem));
  if (found === undefined) return undefined;
  const own = { kind: found.kind, sign: found.sign };
  return /(free|less)$/.test(word) ? opposite(own) : own;
}
