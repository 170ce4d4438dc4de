/** What it means that a rule gives a label: equal to the label's own rounding.
 *
 *  Labels of few values are graded: a rule gives a row if the value of the label nearest to what it says is the row's. Labels of many
 *  values are given if the rule misses them by no more than half a unit of their last decimal, or 1e-6 of their spread where they have
 *  no last decimal. */

/** Above this many values a label is a number rather than a grade. */
const MOST_GRADES = 50;
/** Rows that a grade needs on average to count as one. */
const ROWS_PER_GRADE = 4;
const MOST_DECIMALS = 6;
/** Share of the spread below which differences are rounding, whatever the decimals. */
export const ROUNDING = 1e-6;
/** Room for the last bit of a number that was rounded in decimal. */
const SLACK = 1 + 1e-6;

export interface LabelScale {
  /** The values by size, where they are few; else none. */
  readonly grades: readonly number[];
  readonly rows: number;
  readonly sd: number;
  /** Half a unit of the last decimal, or what rounding leaves. */
  readonly tolerance: number;
  /** Share of the rows with the commonest value. */
  readonly commonest: number;
}

export function scaleOfLabel(y: Float64Array): LabelScale {
  const counts = new Map<number, number>();
  let mean = 0;
  for (const value of y) {
    mean += value / y.length;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  let squares = 0;
  for (const value of y) squares += (value - mean) ** 2;
  const sd = Math.sqrt(squares / y.length);
  const few = counts.size <= MOST_GRADES && counts.size * ROWS_PER_GRADE <= y.length;
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  return {
    grades: few ? [...counts.keys()].sort((a, b) => a - b) : [],
    rows: y.length,
    sd,
    tolerance: Math.max(ROUNDING * sd, halfUnit(y) * SLACK),
    commonest: most / y.length,
  };
}

/** Half a unit of the last decimal of these numbers; 0 where they have more than six. */
export function halfUnit(values: Float64Array): number {
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    const scale = 10 ** decimals;
    if (values.every((value) => isWhole(value * scale))) return 0.5 / scale;
  }
  return 0;
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) <= 1e-9 * Math.max(1, Math.abs(value));

export function nearestGrade(value: number, grades: readonly number[]): number {
  return grades.reduce((near, grade) => (Math.abs(grade - value) < Math.abs(near - value) ? grade : near), grades[0]!);
}

/** Which rows are given: 1 yes, 0 no. */
export function givenRows(y: Float64Array, told: Float64Array, { grades, tolerance }: LabelScale): Uint8Array {
  return Uint8Array.from(y, (value, i) => {
    const said = told[i]!;
    if (Number.isNaN(said)) return 0;
    const same = grades.length > 0 ? nearestGrade(said, grades) === value : Math.abs(said - value) <= tolerance;
    return same ? 1 : 0;
  });
}

export const shareOf = (given: Uint8Array): number => given.reduce((sum, one) => sum + one, 0) / given.length;
