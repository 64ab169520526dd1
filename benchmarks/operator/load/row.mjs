/** A figure that has to be at most, or at least, so much. */
export function row(what, found, unit, most, least) {
  const text = (value) => `${Number(value.toPrecision(3))}${unit === "×" ? unit : unit === "" ? "" : ` ${unit}`}`;
  return {
    what,
    found: text(found),
    wanted: most === undefined ? `at least ${text(least)}` : `at most ${text(most)}`,
    holds: most === undefined ? found >= least : found <= most,
  };
}

/** A row of what was not measured. */
export function leftOut(what, why) {
  return { what, found: `left out: ${why}` };
}
