/** What the API server has said, or is being asked. */
export interface KeptAnswer {
  /** Milliseconds of the monotonic clock up to which it is believed. */
  until: number;
}

/**
 * Answers about tokens, by the hash of the token: a heap dump shows no credentials. Those about tokens that were accepted
 * stand apart, a few for each pod: however many wrong tokens there are, no driver's answer is forgotten for them, and
 * none for another driver's tokens.
 */
export class KeptAnswers<T extends KeptAnswer> {
  readonly #most: number;
  readonly #mostOfPod: number;
  readonly #accepted = new Map<string, Map<string, T>>();
  readonly #others = new Map<string, T>();

  /**
   * @param most how many pods and how many other answers there may be
   * @param mostOfPod how many accepted tokens of one pod
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
