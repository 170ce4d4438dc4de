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
