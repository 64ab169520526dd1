/**
 * The word that a mistyped word was probably meant to be; `undefined` if no candidate is near.
 *
 * @param most how many characters may be wrong
 */
export function closest(
  word: string,
  candidates: Iterable<string>,
  most: number = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    // The difference in length alone is too large.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein's distance: how many characters must be inserted, deleted or replaced. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const replaced = (previous[column - 1] ?? 0) + same;
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
