import type { Exchange } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { eventLoopUse } from "./event-loop-use.ts";
import { RequestTurns } from "./request-turns.ts";

/** This many bytes of a request cost as much work as an empty request: they are read, checked and kept. */
const BYTES_OF_A_REQUEST = 16 * 1024;
/** Bytes of an answer cost less, because they are only written. */
const BYTES_OF_AN_ANSWER = 128 * 1024;
/** A larger request is refused before more of it is read. */
const MOST_READ = 256 * 1024;

/** The turns of drivers' requests, weighted by the size of request and answer. */
export class DriverTurns {
  readonly #turns: RequestTurns;

  constructor(clock: Clock) {
    this.#turns = new RequestTurns(clock, eventLoopUse(clock));
  }

  /** Waits until it is the turn of a driver's request. */
  async begin(driverUid: string, { request, response }: Exchange): Promise<void> {
    const { socket } = request;
    const announced = Number(request.headers["content-length"] ?? 0);
    const use = 1 + Math.min(announced, MOST_READ) / BYTES_OF_A_REQUEST;
    const turn = await this.#turns.take(driverUid, use, (gone) => void response.once("close", gone));
    const before = socket.bytesWritten;
    response.once("close", () => turn.end((socket.bytesWritten - before) / BYTES_OF_AN_ANSWER));
  }
}
