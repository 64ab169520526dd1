/** Ids in order. Each addition and deletion costs a search, and a page can begin anywhere. */
export interface SortedIds {
  add(id: string): void;
  delete(id: string): void;
  /** The ids after an id, in order. */
  after(id: string): Generator<string>;
}

export function sortedIds(): SortedIds {
  const ids: string[] = [];

  /** The position of an id, or the position that it would have. */
  function position(id: string): number {
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] ?? "") < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(id) {
      const at = position(id);
      if (ids[at] !== id) ids.splice(at, 0, id);
    },
    delete(id) {
      const at = position(id);
      if (ids[at] === id) ids.splice(at, 1);
    },
    *after(id) {
      let at = position(id);
      if (ids[at] === id) at++;
      for (; at < ids.length; at++) yield ids[at] ?? "";
    },
  };
}
