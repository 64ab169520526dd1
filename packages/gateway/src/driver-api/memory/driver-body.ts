import { badRequest, type BodyRules, type Exchange, tooLarge } from "@kindling/api-server";
import { measureJson } from "@kindling/http";
import type { ObjectSize } from "../../views/memory/application-memory.ts";
import type { BodyLine } from "./body-line.ts";

/** What the body of one request may be. */
export interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

/** Pods have some ten levels. */
const DEEPEST = 64;
/** A body is there as bytes, and as text. */
const WEIGHT = 2;

/** The body of a driver's request: it is measured before anything is made of it. */
export class DriverBody implements BodyRules {
  readonly mostBytes: number;
  readonly #exchange: Exchange;
  readonly #limits: BodyLimits;
  readonly #driver: string;
  readonly #line: BodyLine;
  #size: ObjectSize = { bytes: 0, values: 0 };

  constructor(exchange: Exchange, driver: string, limits: BodyLimits, line: BodyLine) {
    this.mostBytes = limits.bytes;
    this.#exchange = exchange;
    this.#limits = limits;
    this.#driver = driver;
    this.#line = line;
  }

  /** How much there is in it; nothing before it has been read. */
  get size(): ObjectSize {
    return this.#size;
  }

  async reserve(bytes: number): Promise<void> {
    const { response } = this.#exchange;
    const release = await this.#line.take(this.#driver, bytes * WEIGHT);
    if (response.closed) release();
    else response.once("close", release);
  }

  check(body: Buffer): void {
    const { values: most } = this.#limits;
    const { values, depth } = measureJson(body, { values: most, depth: DEEPEST });
    if (depth > DEEPEST) throw badRequest(`the body has more than ${DEEPEST} levels of objects and lists`);
    if (values > most) throw tooLarge(`the limit is ${most} values of JSON`);
    this.#size = { bytes: body.length, values };
  }
}
