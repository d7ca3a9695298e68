// Built-in pictures, drawn as SVG. No two parts of a picture look alike, so that a player can see
// the place of every tile.

export interface Builtin {
  name: "lake" | "sunflower" | "glass";
  svg: string;
}

function svg(body: string): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200" viewBox="0 0 1200 1200">' +
    `${body}</svg>`
  );
}

/**
 * Mountains at a lake in the evening: colours vary from top to bottom, shapes from left to right.
 */
function lake(): string {
  const ridge = (points: string, fill: string) => `<path d="M${points}Z" fill="${fill}"/>`;
  const far = "0 640 150 470 260 560 430 330 560 500 690 400 880 610 1010 500 1200 650V800H0";
  const near = "0 760 120 690 290 780 470 640 640 770 830 650 1000 760 1200 690V830H0";
  const mirrored = (points: string, fill: string) =>
    `<g transform="matrix(1 0 0 -.8 0 1464)" opacity=".5">${ridge(points, fill)}</g>`;
  const ripples = Array.from({ length: 22 }, (_, index) => {
    const x = (index * 347) % 1100;
    const y = 850 + index * 15;
    return `<path d="M${x} ${y}h${40 + ((index * 61) % 110)}" opacity="${0.55 - index * 0.015}"/>`;
  }).join("");
  const pines = [
    [90, 1130, 1.5],
    [190, 1180, 1.15],
    [1010, 1160, 1.3],
    [1110, 1120, 1.7],
    [920, 1195, 0.9],
  ]
    .map(
      ([x, y, scale]) =>
        `<path transform="translate(${x} ${y}) scale(${scale})" fill="#12263a" ` +
        'd="M-8 60V10H-62L-30-40H-48L-20-85H-36L0-150 36-85H20L48-40H30L62 10H8V60Z"/>',
    )
    .join("");
  return svg(
    '<defs><linearGradient id="a" x2="0" y2="1"><stop stop-color="#27346b"/>' +
      '<stop offset=".55" stop-color="#c65a73"/><stop offset="1" stop-color="#ffc46b"/>' +
      '</linearGradient><linearGradient id="b" x2="0" y2="1"><stop stop-color="#f7b267"/>' +
      '<stop offset=".35" stop-color="#a24d78"/><stop offset="1" stop-color="#1d2450"/>' +
      "</linearGradient></defs>" +
      '<path fill="url(#a)" d="M0 0H1200V820H0Z"/><path fill="url(#b)" d="M0 810H1200V1200H0Z"/>' +
      '<circle cx="790" cy="330" r="105" fill="#ffe3a1"/>' +
      '<circle cx="790" cy="330" r="150" fill="#ffe3a1" opacity=".2"/>' +
      '<g fill="#fff" opacity=".75"><circle cx="120" cy="120" r="4"/><circle cx="330" cy="60" r="5"/>' +
      '<circle cx="520" cy="170" r="4"/><circle cx="1060" cy="90" r="5"/><circle cx="250" cy="250" r="3"/>' +
      '<circle cx="900" cy="60" r="3"/></g>' +
      '<path d="M90 330c70-40 130-8 150 8 40-20 90-8 110 26H60c0-14 12-30 30-34Z" fill="#f2a0a0" opacity=".6"/>' +
      ridge(far, "#5b3f78") +
      '<path d="M430 330 372 404 410 396 436 426 462 390 500 420ZM690 400 648 432 690 446 740 458Z" fill="#fbe3d6" opacity=".85"/>' +
      ridge(near, "#33295c") +
      mirrored(far, "#5b3f78") +
      mirrored(near, "#33295c") +
      `<g stroke="#ffdca8" stroke-width="5" stroke-linecap="round">${ripples}</g>` +
      '<path d="M500 960h210l-40 44H548Z" fill="#12182f"/><path d="M612 950V760l105 180Z" fill="#fff1dc"/>' +
      '<path d="M598 950V800l-80 140Z" fill="#f08a5d"/>' +
      pines,
  );
}

/** A sunflower from above: rings and spirals show the angle and distance of each tile. */
function flower(): string {
  const petals = (count: number, radius: number, length: number, fill: string, turn: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `<path transform="translate(600 600) rotate(${(360 / count) * index + turn})" fill="${fill}" ` +
        `d="M0-${radius}C70-${radius + length * 0.4} 60-${radius + length * 0.8} 0-${radius + length}` +
        `-60-${radius + length * 0.8}-70-${radius + length * 0.4} 0-${radius}Z"/>`,
    ).join("");
  const golden = Math.PI * (3 - Math.sqrt(5));
  const seeds = Array.from({ length: 330 }, (_, index) => {
    const radius = 14.2 * Math.sqrt(index + 0.5);
    const angle = index * golden;
    const x = (600 + radius * Math.cos(angle)).toFixed(1);
    const y = (600 + radius * Math.sin(angle)).toFixed(1);
    const hue = 20 + (index / 330) * 22;
    const light = 22 + (index / 330) * 26;
    return `<circle cx="${x}" cy="${y}" r="${(5 + index / 80).toFixed(1)}" fill="hsl(${hue.toFixed(0)} 75% ${light.toFixed(0)}%)"/>`;
  }).join("");
  return svg(
    '<defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#0b6e7f"/>' +
      '<stop offset=".5" stop-color="#1b8f8a"/><stop offset="1" stop-color="#7fc8a9"/></linearGradient></defs>' +
      '<path fill="url(#a)" d="M0 0H1200V1200H0Z"/>' +
      '<g fill="#0a4f5c" opacity=".55"><path d="M0 1200C60 900 240 820 420 860 380 1040 240 1160 0 1200Z"/>' +
      '<path d="M1200 0C1180 240 1060 380 860 400 850 220 960 60 1200 0Z"/></g>' +
      '<g fill="none" stroke="#cdeccf" stroke-width="8" opacity=".5"><path d="M40 1160C160 1040 260 950 400 880"/>' +
      '<path d="M1170 30C1080 150 980 270 880 380"/></g>' +
      petals(17, 215, 330, "#e08a12", 9) +
      petals(17, 215, 300, "#ffb81f", -2) +
      petals(17, 215, 235, "#ffd65c", 7) +
      '<circle cx="600" cy="600" r="272" fill="#3b1d0e"/>' +
      seeds +
      '<g transform="translate(890 840) rotate(35)"><ellipse rx="66" ry="58" fill="#d7263d"/>' +
      '<path d="M-66 0a66 58 0 0 1 30-48C-20-20-20 20-36 48A66 58 0 0 1-66 0Z" fill="#1c1c1c"/>' +
      '<path d="M-34 0H66" stroke="#1c1c1c" stroke-width="6"/><g fill="#1c1c1c"><circle cx="8" cy="-26" r="12"/>' +
      '<circle cx="8" cy="26" r="12"/><circle cx="40" cy="-18" r="9"/><circle cx="40" cy="18" r="9"/></g></g>',
  );
}

/** A window of coloured glass: a wheel of hues over squares and triangles. */
function glass(): string {
  const cells = 6;
  const side = 1200 / cells;
  const parts: string[] = [];
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const x = column * side;
      const y = row * side;
      const hue = (Math.atan2(row - 2.5, column - 2.5) * 180) / Math.PI + 200;
      const light = 34 + row * 6 + ((column * 7) % 10);
      const paint = (turn: number, more: number) =>
        `hsl(${Math.round(hue + turn)} 62% ${light + more}%)`;
      const isFalling = (row * 5 + column * 3) % 4 < 2;
      const [first, second] = isFalling
        ? [`M${x} ${y}h${side}v${side}Z`, `M${x} ${y}v${side}h${side}Z`]
        : [`M${x} ${y}h${side}l-${side} ${side}Z`, `M${x + side} ${y}v${side}h-${side}Z`];
      parts.push(`<path d="${first}" fill="${paint(0, 6)}"/>`);
      parts.push(`<path d="${second}" fill="${paint(28, -4)}"/>`);
      const radius = 24 + ((row * 11 + column * 17) % 40);
      const middle = `cx="${x + side / 2}" cy="${y + side / 2}" r="${radius}"`;
      parts.push(`<circle ${middle} fill="${paint(170, 18)}" opacity=".85"/>`);
    }
  }
  return svg(
    `<g stroke="#1b1b2a" stroke-width="9" stroke-linejoin="round">${parts.join("")}` +
      '<circle cx="600" cy="600" r="420" fill="none" stroke-width="16"/>' +
      '<circle cx="600" cy="600" r="180" fill="none" stroke-width="16"/></g>',
  );
}

export const builtins: readonly Builtin[] = [
  { name: "lake", svg: lake() },
  { name: "sunflower", svg: flower() },
  { name: "glass", svg: glass() },
];

export function builtinBlob(builtin: Builtin): Blob {
  return new Blob([builtin.svg], { type: "image/svg+xml" });
}
