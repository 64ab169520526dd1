/** An answer of the API server, or a question that is still open. */
export interface KeptAnswer {
  /** Until when the answer is used, in milliseconds of the monotonic clock. */
  until: number;
}

/**
 * Answers about tokens, by the hash of the token, so that a heap dump shows no credentials. Answers about accepted tokens are
 * kept apart, a few for each pod. So no driver's answer is dropped because there are many wrong tokens, or many tokens of
 * another driver.
 */
export class KeptAnswers<T extends KeptAnswer> {
  readonly #most: number;
  readonly #mostOfPod: number;
  readonly #accepted = new Map<string, Map<string, T>>();
  readonly #others = new Map<string, T>();

  /**
   * @param most how many pods, and how many other answers, are kept
   * @param mostOfPod how many accepted tokens of one pod are kept
   */
  constructor(most: number, mostOfPod: number) {
    this.#most = most;
    this.#mostOfPod = mostOfPod;
  }

  accepted(pod: string, hash: string): T | undefined {
    return this.#accepted.get(pod)?.get(hash);
  }

  other(hash: string): T | undefined {
    return this.#others.get(hash);
  }

  keepAccepted(pod: string, hash: string, answer: T): void {
    this.#others.delete(hash);
    const ofPod = this.#accepted.get(pod) ?? new Map<string, T>();
    putLast(ofPod, hash, answer, this.#mostOfPod);
    putLast(this.#accepted, pod, ofPod, this.#most);
  }

  keepOther(hash: string, answer: T): void {
    putLast(this.#others, hash, answer, this.#most);
  }

  /** Forgets an answer, unless there is a newer one. */
  forget(pod: string, hash: string, answer: T): void {
    const ofPod = this.#accepted.get(pod);
    if (ofPod?.get(hash) === answer) {
      ofPod.delete(hash);
      if (ofPod.size === 0) this.#accepted.delete(pod);
    }
    if (this.#others.get(hash) === answer) this.#others.delete(hash);
  }
}

/** Maps keep the order of insertion: the first key is the oldest. */
function putLast<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
