/** Wrong input: what was found, with the value; then what to do next. */
export class StatError extends Error {
  readonly code: string;
  readonly fix: string;

  constructor(code: string, message: string, fix: string) {
    super(message);
    this.name = "StatError";
    this.code = code;
    this.fix = fix;
  }

  /** Two lines for people: the fault, then the way out. */
  override toString(): string {
    return `${this.code}: ${this.message}\n  Fix: ${this.fix}`;
  }
}

/** A confidence level, a power, a share: throws unless it lies between 0 and 1. */
export function checkShare(what: string, value: number, example: number): void {
  if (value > 0 && value < 1) return;
  throw new StatError("BadOption", `a ${what} of ${value} is not between 0 and 1.`, `Use for example ${example}.`);
}

export const checkConfidence = (confidence: number): void => checkShare("confidence level", confidence, 0.95);
