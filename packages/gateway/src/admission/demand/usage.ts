import type { Resources } from "@kindling/admission";

/** What pods use on each node; updated as pods come and go. */
export class Usage {
  readonly #byNode = new Map<string, Record<string, number>>();

  add(node: string, amounts: Resources, times: 1 | -1): void {
    const used = this.#byNode.get(node) ?? {};
    this.#byNode.set(node, used);
    for (const [name, amount] of Object.entries(amounts)) {
      const sum = (used[name] ?? 0) + amount * times;
      if (sum === 0) delete used[name];
      else used[name] = sum;
    }
    if (Object.keys(used).length === 0) this.#byNode.delete(node);
  }

  on(node: string): Resources {
    return this.#byNode.get(node) ?? {};
  }
}
