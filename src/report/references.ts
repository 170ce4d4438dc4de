/** Literature of the methods, once: reports list it, `gosset cite` writes it as BibTeX. */

export interface Reference {
  readonly key: string;
  readonly type: "article" | "book" | "inproceedings" | "misc";
  /** "Family, Given", in their order. */
  readonly authors: readonly string[];
  readonly year: number;
  readonly title: string;
  /** Journal, proceedings or publisher. */
  readonly where: string;
  readonly volume?: string;
  readonly pages?: string;
  readonly doi?: string;
}

const article = (
  key: string,
  authors: readonly string[],
  year: number,
  [title, where, volume, pages, doi]: readonly [
    title: string,
    where: string,
    volume: string,
    pages: string,
    doi?: string,
  ],
): Reference => ({
  key,
  type: "article",
  authors,
  year,
  title,
  where,
  volume,
  pages,
  ...(doi === undefined ? {} : { doi }),
});

const inproceedings = (
  key: string,
  authors: readonly string[],
  year: number,
  [title, where, pages]: readonly [title: string, where: string, pages: string],
): Reference => ({ key, type: "inproceedings", authors, year, title, where, pages });

const book = (key: string, authors: readonly string[], year: number, title: string, where: string): Reference => ({
  key,
  type: "book",
  authors,
  year,
  title,
  where,
});

const ALL: readonly Reference[] = [
  article("bates2015", ["Bates, Douglas", "Mächler, Martin", "Bolker, Ben", "Walker, Steve"], 2015, [
    "Fitting Linear Mixed-Effects Models Using lme4",
    "Journal of Statistical Software",
    "67(1)",
    "1–48",
    "10.18637/jss.v067.i01",
  ]),
  article("mogstad2024", ["Mogstad, Magne", "Romano, Joseph P.", "Shaikh, Azeem M.", "Wilhelm, Daniel"], 2024, [
    "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement across Countries",
    "The Review of Economic Studies",
    "91(1)",
    "476–518",
    "10.1093/restud/rdad006",
  ]),
  article("romano2005", ["Romano, Joseph P.", "Wolf, Michael"], 2005, [
    "Stepwise Multiple Testing as Formalized Data Snooping",
    "Econometrica",
    "73(4)",
    "1237–1282",
    "10.1111/j.1468-0262.2005.00615.x",
  ]),
  article("kuznetsova2017", ["Kuznetsova, Alexandra", "Brockhoff, Per B.", "Christensen, Rune H. B."], 2017, [
    "lmerTest Package: Tests in Linear Mixed Effects Models",
    "Journal of Statistical Software",
    "82(13)",
    "1–26",
    "10.18637/jss.v082.i13",
  ]),
  article("kenward1997", ["Kenward, Michael G.", "Roger, James H."], 1997, [
    "Small Sample Inference for Fixed Effects from Restricted Maximum Likelihood",
    "Biometrics",
    "53(3)",
    "983–997",
    "10.2307/2533558",
  ]),
  article("searle1980", ["Searle, Shayle R.", "Speed, F. Michael", "Milliken, George A."], 1980, [
    "Population Marginal Means in the Linear Model: An Alternative to Least Squares Means",
    "The American Statistician",
    "34(4)",
    "216–221",
    "10.1080/00031305.1980.10483031",
  ]),
  article("mccullagh1980", ["McCullagh, Peter"], 1980, [
    "Regression Models for Ordinal Data",
    "Journal of the Royal Statistical Society B",
    "42(2)",
    "109–142",
  ]),
  article("wood2011", ["Wood, Simon N."], 2011, [
    "Fast Stable Restricted Maximum Likelihood and Marginal Likelihood Estimation of Semiparametric Generalized Linear Models",
    "Journal of the Royal Statistical Society B",
    "73(1)",
    "3–36",
  ]),
  book(
    "wood2017",
    ["Wood, Simon N."],
    2017,
    "Generalized Additive Models: An Introduction with R (2nd ed.)",
    "Chapman and Hall/CRC",
  ),
  book(
    "mccullagh1989",
    ["McCullagh, Peter", "Nelder, John A."],
    1989,
    "Generalized Linear Models (2nd ed.)",
    "Chapman & Hall",
  ),
  inproceedings(
    "card2020",
    ["Card, Dallas", "Henderson, Peter", "Khandelwal, Urvashi", "Jia, Robin", "Mahowald, Kyle", "Jurafsky, Dan"],
    2020,
    ["With Little Power Comes Great Responsibility", "Proceedings of EMNLP", "9263–9274"],
  ),
  article("gelman2014", ["Gelman, Andrew", "Carlin, John"], 2014, [
    "Beyond Power Calculations: Assessing Type S (Sign) and Type M (Magnitude) Errors",
    "Perspectives on Psychological Science",
    "9(6)",
    "641–651",
    "10.1177/1745691614551642",
  ]),
  inproceedings("dror2018", ["Dror, Rotem", "Baumer, Gili", "Shlomov, Segev", "Reichart, Roi"], 2018, [
    "The Hitchhiker’s Guide to Testing Statistical Significance in Natural Language Processing",
    "Proceedings of ACL",
    "1383–1392",
  ]),
  book(
    "riezler2021",
    ["Riezler, Stefan", "Hagmann, Michael"],
    2021,
    "Validity, Reliability, and Significance: Empirical Methods for NLP and Data Science",
    "Morgan & Claypool",
  ),
  {
    key: "miller2024",
    type: "misc",
    authors: ["Miller, Evan"],
    year: 2024,
    title: "Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations",
    where: "arXiv:2411.00640",
  },
  article("mcnemar1947", ["McNemar, Quinn"], 1947, [
    "Note on the Sampling Error of the Difference Between Correlated Proportions or Percentages",
    "Psychometrika",
    "12(2)",
    "153–157",
    "10.1007/BF02295996",
  ]),
  article("fay2021", ["Fay, Michael P.", "Lumbard, Keith"], 2021, [
    "Confidence Intervals for Difference in Proportions for Matched Pairs Compatible with Exact McNemar’s or Sign Tests",
    "Statistics in Medicine",
    "40(5)",
    "1147–1159",
  ]),
  article("tango1998", ["Tango, Toshiro"], 1998, [
    "Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample Design",
    "Statistics in Medicine",
    "17(8)",
    "891–908",
  ]),
  article("wilson1927", ["Wilson, Edwin B."], 1927, [
    "Probable Inference, the Law of Succession, and Statistical Inference",
    "Journal of the American Statistical Association",
    "22(158)",
    "209–212",
    "10.1080/01621459.1927.10502953",
  ]),
  article("schuirmann1987", ["Schuirmann, Donald J."], 1987, [
    "A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of Average Bioavailability",
    "Journal of Pharmacokinetics and Biopharmaceutics",
    "15(6)",
    "657–680",
    "10.1007/BF01068419",
  ]),
  article("zou2008", ["Zou, Guang Yong", "Donner, Allan"], 2008, [
    "Construction of Confidence Limits about Effect Measures: A General Approach",
    "Statistics in Medicine",
    "27(10)",
    "1693–1702",
    "10.1002/sim.3095",
  ]),
  article(
    "angelopoulos2023",
    ["Angelopoulos, Anastasios N.", "Bates, Stephen", "Fannjiang, Clara", "Jordan, Michael I.", "Zrnic, Tijana"],
    2023,
    ["Prediction-Powered Inference", "Science", "382(6671)", "669–674", "10.1126/science.adi6000"],
  ),
  article("holm1979", ["Holm, Sture"], 1979, [
    "A Simple Sequentially Rejective Multiple Test Procedure",
    "Scandinavian Journal of Statistics",
    "6(2)",
    "65–70",
    "10.2307/4615733",
  ]),
  article("bell2002", ["Bell, Robert M.", "McCaffrey, Daniel F."], 2002, [
    "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples",
    "Survey Methodology",
    "28(2)",
    "169–181",
  ]),
  article("efron1987", ["Efron, Bradley"], 1987, [
    "Better Bootstrap Confidence Intervals",
    "Journal of the American Statistical Association",
    "82(397)",
    "171–185",
    "10.1080/01621459.1987.10478410",
  ]),
  article("demsar2006", ["Demšar, Janez"], 2006, [
    "Statistical Comparisons of Classifiers over Multiple Data Sets",
    "Journal of Machine Learning Research",
    "7",
    "1–30",
  ]),
  article("cohen1960", ["Cohen, Jacob"], 1960, [
    "A Coefficient of Agreement for Nominal Scales",
    "Educational and Psychological Measurement",
    "20(1)",
    "37–46",
    "10.1177/001316446002000104",
  ]),
  article("fleiss1971", ["Fleiss, Joseph L."], 1971, [
    "Measuring Nominal Scale Agreement Among Many Raters",
    "Psychological Bulletin",
    "76(5)",
    "378–382",
    "10.1037/h0031619",
  ]),
  article("gwet2008", ["Gwet, Kilem L."], 2008, [
    "Computing Inter-Rater Reliability and Its Variance in the Presence of High Agreement",
    "British Journal of Mathematical and Statistical Psychology",
    "61(1)",
    "29–48",
    "10.1348/000711006X126600",
  ]),
  book(
    "krippendorff2019",
    ["Krippendorff, Klaus"],
    2019,
    "Content Analysis: An Introduction to Its Methodology (4th ed.)",
    "SAGE",
  ),
  book("brennan2001", ["Brennan, Robert L."], 2001, "Generalizability Theory", "Springer"),
  article("dawid1979", ["Dawid, A. P.", "Skene, A. M."], 1979, [
    "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm",
    "Applied Statistics",
    "28(1)",
    "20–28",
    "10.2307/2346806",
  ]),
  article("nadeau2003", ["Nadeau, Claude", "Bengio, Yoshua"], 2003, [
    "Inference for the Generalization Error",
    "Machine Learning",
    "52(3)",
    "239–281",
    "10.1023/A:1024068626366",
  ]),
  article("dietterich1998", ["Dietterich, Thomas G."], 1998, [
    "Approximate Statistical Tests for Comparing Supervised Classification Learning Algorithms",
    "Neural Computation",
    "10(7)",
    "1895–1923",
    "10.1162/089976698300017197",
  ]),
  article("alpaydin1999", ["Alpaydın, Ethem"], 1999, [
    "Combined 5 × 2 cv F Test for Comparing Supervised Classification Learning Algorithms",
    "Neural Computation",
    "11(8)",
    "1885–1892",
  ]),
  inproceedings("dror2019", ["Dror, Rotem", "Shlomov, Segev", "Reichart, Roi"], 2019, [
    "Deep Dominance – How to Properly Compare Deep Neural Models",
    "Proceedings of ACL",
    "2773–2785",
  ]),
  inproceedings("clark2011", ["Clark, Jonathan H.", "Dyer, Chris", "Lavie, Alon", "Smith, Noah A."], 2011, [
    "Better Hypothesis Testing for Statistical Machine Translation: Controlling for Optimizer Instability",
    "Proceedings of ACL",
    "176–181",
  ]),
  article("koo2016", ["Koo, Terry K.", "Li, Mae Y."], 2016, [
    "A Guideline of Selecting and Reporting Intraclass Correlation Coefficients for Reliability Research",
    "Journal of Chiropractic Medicine",
    "15(2)",
    "155–163",
    "10.1016/j.jcm.2016.02.012",
  ]),
  inproceedings(
    "dodge2019",
    ["Dodge, Jesse", "Gururangan, Suchin", "Card, Dallas", "Schwartz, Roy", "Smith, Noah A."],
    2019,
    ["Show Your Work: Improved Reporting of Experimental Results", "Proceedings of EMNLP-IJCNLP", "2185–2194"],
  ),
  inproceedings("howcroft2021", ["Howcroft, David M.", "Rieser, Verena"], 2021, [
    "What Happens If You Treat Ordinal Ratings as Interval Data? Human Evaluations in NLP Are Even More Under-Powered Than You Think",
    "Proceedings of EMNLP",
    "8932–8939",
  ]),
  article("egger1997", ["Egger, Matthias", "Davey Smith, George", "Schneider, Martin", "Minder, Christoph"], 1997, [
    "Bias in Meta-Analysis Detected by a Simple, Graphical Test",
    "BMJ",
    "315(7109)",
    "629–634",
    "10.1136/bmj.315.7109.629",
  ]),
  article("begg1994", ["Begg, Colin B.", "Mazumdar, Madhuchhanda"], 1994, [
    "Operating Characteristics of a Rank Correlation Test for Publication Bias",
    "Biometrics",
    "50(4)",
    "1088–1101",
    "10.2307/2533446",
  ]),
  article("duval2000", ["Duval, Sue", "Tweedie, Richard"], 2000, [
    "Trim and Fill: A Simple Funnel-Plot-Based Method of Testing and Adjusting for Publication Bias in Meta-Analysis",
    "Biometrics",
    "56(2)",
    "455–463",
    "10.1111/j.0006-341X.2000.00455.x",
  ]),
  article("lan1983", ["Lan, K. K. Gordon", "DeMets, David L."], 1983, [
    "Discrete Sequential Boundaries for Clinical Trials",
    "Biometrika",
    "70(3)",
    "659–663",
    "10.1093/biomet/70.3.659",
  ]),
  inproceedings("post2018", ["Post, Matt"], 2018, [
    "A Call for Clarity in Reporting BLEU Scores",
    "Proceedings of WMT",
    "186–191",
  ]),
  inproceedings("papineni2002", ["Papineni, Kishore", "Roukos, Salim", "Ward, Todd", "Zhu, Wei-Jing"], 2002, [
    "BLEU: a Method for Automatic Evaluation of Machine Translation",
    "Proceedings of ACL",
    "311–318",
  ]),
  inproceedings("popovic2015", ["Popović, Maja"], 2015, [
    "chrF: Character n-gram F-score for Automatic MT Evaluation",
    "Proceedings of WMT",
    "392–395",
  ]),
];

const BY_KEY: ReadonlyMap<string, Reference> = new Map(ALL.map((own) => [own.key, own]));

export const referencesOf = (keys: readonly string[]): Reference[] =>
  [...new Set(keys)].flatMap((key) => BY_KEY.get(key) ?? []);

/** "Bates, D., Mächler, M. (2015). Title. Journal 67(1), 1–48." in its parts, so that a page can set the journal apart. */
export function referenceText({ authors, year, title, where, volume, pages }: Reference): {
  readonly before: string;
  readonly where: string;
  readonly after: string;
} {
  const names = authors.map((name) => {
    const [family = "", given = ""] = name.split(", ");
    return `${family}, ${given
      .split(" ")
      .map((part) => `${part.charAt(0)}.`)
      .join(" ")}`;
  });
  const after = [volume, pages].filter((part) => part !== undefined).join(", ");
  return { before: `${names.join(", ")} (${year}). ${title}.`, where, after: after === "" ? "" : ` ${after}` };
}

const FIELD = { article: "journal", book: "publisher", inproceedings: "booktitle", misc: "howpublished" } as const;

/** One entry; capitals of titles are kept. */
export function bibtex({ key, type, authors, year, title, where, volume, pages, doi }: Reference): string {
  const [number, issue] = (volume ?? "").replace(")", "").split("(");
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["author", authors.map(escapeBib).join(" and ")],
    ["title", `{${escapeBib(title)}}`],
    [FIELD[type], escapeBib(where)],
    ["year", String(year)],
    ["volume", number === "" ? undefined : number],
    ["number", issue],
    ["pages", pages?.replace("–", "--")],
    ["doi", doi],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@${type}{${key},\n${lines.join(",\n")}\n}`;
}

const escapeBib = (text: string): string => text.replaceAll("&", "\\&").replaceAll("’", "'");

/** The program itself. */
export const gossetBibtex = (version: string): string =>
  `@misc{gosset,\n  title = {{Gosset}: power, significance, reliability and validity for evaluations of language and machine-learning systems},\n  key = {Gosset},\n  note = {Version ${version}}\n}`;
