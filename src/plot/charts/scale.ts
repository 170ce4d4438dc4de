/** From values to pixels, with round ticks between. */
import { mostOf } from "../../result/extremes.ts";

/** How values on an axis are written: "percent" and "points" are shares times 100, "signed" and "points" carry their sign. */
export type TickFormat = "plain" | "signed" | "percent" | "points";

export interface Axis {
  /** With its unit: "difference in rating (scale 1 to 5)". */
  readonly title: string;
  /** Default: linear. */
  readonly kind?: "linear" | "log";
  /** Ends; default: of what is drawn, with a little air. */
  readonly domain?: readonly [number, number];
  readonly format?: TickFormat;
  readonly ticks?: readonly number[];
  /** Grows downwards or to the left. */
  readonly reversed?: boolean;
  /** Names at 0, 1, 2 … instead of ticks. */
  readonly names?: readonly string[];
}

export interface Scale {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  /** Pixels of a value. */
  at(value: number): number;
}

const AIR = 0.04;

/** Ends that hold all values and, for a linear axis, a little more. */
export function domainOf(values: readonly number[], { kind = "linear", domain }: Axis): readonly [number, number] {
  if (domain !== undefined) return domain;
  const finite = values.filter((value) => Number.isFinite(value) && (kind === "linear" || value > 0));
  if (finite.length === 0) return kind === "log" ? [1, 10] : [0, 1];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of finite) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low === high) {
    const half = low === 0 ? 1 : Math.abs(low) / 10;
    return kind === "log" ? [low / 2, low * 2] : [low - half, high + half];
  }
  if (kind === "log") return [low, high];
  return [low - AIR * (high - low), high + AIR * (high - low)];
}

export function makeScale(axis: Axis, domain: readonly [number, number], room: readonly [number, number]): Scale {
  // lines of text need less room above each other than beside each other
  const many = Math.max(3, Math.min(5, Math.floor(Math.abs(room[1] - room[0]) / (room[0] > room[1] ? 36 : 60))));
  const [from, to] = axis.reversed ? [room[1], room[0]] : room;
  const ticks = ticksOf(axis, domain, many);
  const [low, high] = axis.kind === "log" ? [Math.log(domain[0]), Math.log(domain[1])] : domain;
  const at = (value: number): number => {
    const place = axis.kind === "log" ? Math.log(Math.max(value, Number.MIN_VALUE)) : value;
    const share = high > low ? (place - low) / (high - low) : 0.5;
    return from + (to - from) * Math.max(-1, Math.min(2, share));
  };
  return { domain, ticks, labels: axis.names ?? tickLabels(ticks, axis.format ?? "plain"), at };
}

function ticksOf(axis: Axis, domain: readonly [number, number], many: number): readonly number[] {
  if (axis.names !== undefined) return axis.names.map((_, k) => k);
  const inside = (value: number): boolean =>
    value >= domain[0] - 1e-9 * Math.abs(domain[0]) && value <= domain[1] + 1e-9 * Math.abs(domain[1]);
  if (axis.ticks !== undefined) return axis.ticks.filter(inside);
  return axis.kind === "log" ? logTicks(domain, many) : linearTicks(domain, many);
}

/** Rather a few more ticks than too few. */
const TIGHT = 0.7;

/** About `many` round numbers within the ends. */
export function linearTicks([low, high]: readonly [number, number], many: number): number[] {
  const raw = (high - low) / many;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const steps = [0.2, 0.5, 1, 2, 5, 10].map((factor) => factor * power);
  const wanted = steps.findIndex((own) => own >= TIGHT * raw);
  const ticks = multiples([low, high], steps[wanted]!);
  return ticks.length < FEWEST && wanted > 0 ? multiples([low, high], steps[wanted - 1]!) : ticks;
}

/** Two numbers do not show how an axis runs. */
const FEWEST = 3;

function multiples([low, high]: readonly [number, number], step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/** 1, 2, 5 of each power of ten, or powers alone where those are too many. */
function logTicks([low, high]: readonly [number, number], many: number): number[] {
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, k) => Math.floor(Math.log10(low)) + k,
  );
  const within = (own: number): boolean => own >= low * 0.999 && own <= high * 1.001;
  for (const factors of [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
    const ticks = powers
      .flatMap((power) => factors.map((f) => Number((f * 10 ** power).toPrecision(6))))
      .filter(within);
    if (ticks.length <= many + 1 && ticks.length > 0) return ticks;
  }
  return [low, high];
}

const MINUS = "\u2212";
const THIN = "\u202f";

/** As many decimals as tell the ticks apart; the unit stands at the last one. */
export function tickLabels(ticks: readonly number[], format: TickFormat): string[] {
  const share = format === "percent" || format === "points";
  const values = ticks.map((value) => (share ? 100 * value : value));
  const signed = format === "signed" || format === "points";
  const largest = mostOf(values.map(Math.abs));
  const decimals = Math.max(0, mostOf(values.map(decimalsOf)));
  return values.map((value, k) => {
    const text = value === 0 ? "0" : largest < SMALL ? power(value, signed) : writeFixed(value, decimals, signed);
    return format === "percent" && k === values.length - 1 ? `${text}${THIN}%` : text;
  });
}

/** Below it an axis is written in powers of ten: decimals that tell its ticks apart would be a row of zeros. */
const SMALL = 1e-4;

function power(value: number, signed: boolean): string {
  const [digits = "", exponent] = Math.abs(Number(value.toPrecision(6)))
    .toExponential()
    .split("e");
  const sign = value < 0 ? MINUS : signed ? "+" : "";
  return `${sign}${digits}e${exponent!.replace("-", MINUS).replace("+", "")}`;
}

function decimalsOf(value: number): number {
  for (let digits = 0; digits < 10; digits++) {
    if (Math.abs(value * 10 ** digits - Math.round(value * 10 ** digits)) < 1e-6 * Math.max(1, Math.abs(value)))
      return digits;
  }
  return 10;
}

function inThousands(digits: string): string {
  if (!/^\d+$/.test(digits)) return digits;
  const head = digits.length % 3;
  return [digits.slice(0, head), ...(digits.slice(head).match(/\d{3}/g) ?? [])]
    .filter((part) => part !== "")
    .join(THIN);
}

/** True minus, sign where asked for, thin grouping from 10,000. */
export function writeFixed(value: number, decimals: number, signed = false): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : `${MINUS}∞`;
  const text = Math.abs(value).toFixed(decimals);
  const zero = Number(text) === 0;
  const [whole = "", rest] = text.split(".");
  const grouped = whole.length > 4 ? inThousands(whole) : whole;
  const sign = zero ? "" : value < 0 ? MINUS : signed ? "+" : "";
  return `${sign}${grouped}${rest === undefined ? "" : `.${rest}`}`;
}
