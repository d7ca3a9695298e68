// axe-core in the page: accessibility rules that a program can check.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings of axe, one per line; `rules` limits the run to these rules. */
export async function findings(page, rules) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    const runOnly = rules && { type: "rule", values: rules };
    // eslint-disable-next-line no-undef
    const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, rules);
}
