// A plot as a file: with its title and its legend, on white, without anything from outside.

import { layOut } from "./layout.ts";
import { dashes, lightColours, markPath, type Plot, type Style } from "./plot.ts";

export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const colour = (style: Style | null) =>
  style === null ? "#666666" : lightColours[style.mark % lightColours.length];

function marker(style: Style, x: number, y: number): string {
  const fill = style.dash % 2 === 1 ? "#ffffff" : colour(style);
  const d = markPath(style.mark, x, y, 4.5);
  return `<path d="${d}" fill="${fill}" stroke="${colour(style)}" stroke-width="1.6"/>`;
}

function dashed(style: Style | null): string {
  const dash = style === null ? "4 4" : dashes[style.dash % dashes.length];
  return dash === "" ? "" : ` stroke-dasharray="${dash}"`;
}

function text(x: number, y: number, words: string, rest = ""): string {
  return `<text x="${x}" y="${y}"${rest}>${escapeXml(words)}</text>`;
}

export function plotSvg(plot: Plot, width = 800): string {
  const drawing = layOut(plot, width - 32, new Set());
  const columns = Math.max(1, Math.floor((width - 32) / 240));
  const legend = plot.series.map(({ name, style }, index) => {
    const x = 16 + (index % columns) * 240;
    const y = 60 + Math.floor(index / columns) * 20;
    return (
      `<path d="M${x} ${y}h28" fill="none" stroke="${colour(style)}" stroke-width="2"` +
      `${dashed(style)}/>${marker(style, x + 14, y)}${text(x + 36, y + 4, name)}`
    );
  });
  const top = 66 + Math.ceil(plot.series.length / columns) * 20;
  const height = top + drawing.height + (plot.note ? 36 : 16);
  const rules = drawing.rules.map(
    ({ x1, y1, x2, y2, isAxis }) =>
      `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${isAxis ? "#333333" : "#e2e2e2"}"/>`,
  );
  const texts = drawing.texts.map(({ x, y, text: words, anchor, kind }) =>
    text(x, y, words, ` text-anchor="${anchor}"${kind === "band" ? ' font-weight="600"' : ""}`),
  );
  const paths = drawing.paths.map(({ d, style, kind }) => {
    const look =
      kind === "dots"
        ? 'stroke-width="4" stroke-linecap="round" opacity="0.25"'
        : `stroke-width="2"${dashed(style)}`;
    return `<path d="${d}" fill="none" stroke="${colour(style)}" ${look}/>`;
  });
  const marks = drawing.marks.map(
    ({ style, x, y, words, isLowerBound }) =>
      `<g><title>${escapeXml(words)}</title>${marker(style, x, y)}` +
      `${isLowerBound ? text(x + 8, y + 4, ">") : ""}</g>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" ` +
      'fill="#222222">',
    `<title>${escapeXml(plot.title)}</title>`,
    `<path d="M0 0H${width}V${height}H0Z" fill="#ffffff"/>`,
    text(16, 30, plot.title, ' font-size="16" font-weight="600"'),
    ...legend,
    `<g transform="translate(16 ${top})">`,
    ...rules,
    ...paths,
    ...texts,
    ...marks,
    "</g>",
    plot.note ? text(16, height - 14, plot.note, ' fill="#555555"') : "",
    "</svg>",
    "",
  ].join("\n");
}
