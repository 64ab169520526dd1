import { badRequest, type BodyRules, type Exchange, tooLarge } from "@kindling/api-server";
import { measureJson } from "@kindling/http";
import type { ObjectSize } from "../../views/memory/application-memory.ts";
import type { BodyLine } from "./body-line.ts";

/** Limits for the body of one request. */
export interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

/** Pods have about ten levels. */
const DEEPEST = 64;
/** A body is in memory twice: as bytes and as text. */
const WEIGHT = 2;

/** The body of a driver's request. It is measured before it is parsed. */
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

  /** The size of the body; zero before it has been read. */
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
