// Scales of plots: from values to places, the values to mark, and how to write them.

export interface Scale {
  kind: "linear" | "log";
  domain: [number, number];
  /** From 0 to 1. */
  place(value: number): number;
  /** Values with a line and a number. */
  ticks: number[];
}

/** The largest of 1, 2 and 5 times a power of ten that is at most this. */
function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const leading = value / power;
  return power * (leading >= 5 - 1e-9 ? 5 : leading >= 2 - 1e-9 ? 2 : 1);
}

function niceAbove(value: number): number {
  const below = niceBelow(value);
  if (below >= value * (1 - 1e-9)) return below;
  return niceBelow(below * 2.6);
}

/** Free of the noise of binary fractions. */
const clean = (value: number) => Number(value.toPrecision(12));

/** A linear scale over these values, widened to full steps, with about so many of them. */
export function linearScale(low: number, high: number, steps = 6): Scale {
  const [first, last] = high > low ? [low, high] : [low, low + 1];
  const step = niceAbove((last - first) / steps);
  const begin = Math.floor(first / step + 1e-9);
  const end = Math.ceil(last / step - 1e-9);
  const domain: [number, number] = [clean(begin * step), clean(end * step)];
  const ticks = Array.from({ length: end - begin + 1 }, (_, index) =>
    clean((begin + index) * step),
  );
  const place = (value: number) => (value - domain[0]) / (domain[1] - domain[0]);
  return { kind: "linear", domain, place, ticks };
}

/**
 * A logarithmic scale over these values, of which none may be 0 or less, widened to powers of ten,
 * or where those are few to 1, 2 and 5 times such.
 */
export function logScale(low: number, high: number, most = 8): Scale {
  const [first, last] = high > low ? [low, high] : [low / 2, low * 2];
  const decades = Math.log10(last / first);
  const isFine = decades < 2;
  const begin = isFine ? niceBelow(first) : 10 ** Math.floor(Math.log10(first) + 1e-9);
  const end = isFine ? niceAbove(last) : 10 ** Math.ceil(Math.log10(last) - 1e-9);
  const ticks: number[] = [];
  if (isFine) {
    for (let tick = begin; tick <= end * 1.001; tick = niceAbove(tick * 1.01))
      ticks.push(clean(tick));
  } else {
    const from = Math.round(Math.log10(begin));
    const to = Math.round(Math.log10(end));
    const step = Math.max(1, Math.ceil((to - from) / most));
    for (let power = from; power <= to; power += step) ticks.push(clean(10 ** power));
  }
  const domain: [number, number] = [clean(begin), clean(end)];
  const span = Math.log(domain[1] / domain[0]);
  const place = (value: number) => Math.log(value / domain[0]) / span;
  return { kind: "log", domain, place, ticks };
}

const suffixes: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** For ticks and narrow places: 1500 is "1.5k", 2,000,000 "2M". */
export function short(value: number): string {
  for (const [unit, suffix] of suffixes) {
    if (Math.abs(value) >= unit * 0.9995)
      return `${Number((value / unit).toPrecision(3))}${suffix}`;
  }
  return String(Number(value.toPrecision(3)));
}

/** For tables: three digits that matter, thousands parted. */
export function long(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
