import type { Clock } from "@kindling/outside";
import type { CallFacts } from "../audit/call-facts.ts";
import { GrpcError } from "../grpc/grpc-status.ts";
import { ERROR } from "../http2/frame.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";
import type { Authenticator, Credentials } from "../users/user.ts";
import { endCall } from "./end-call.ts";

export interface OpenCallsOptions {
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly most: number;
  readonly mostPerUser: number;
  /** How often the tokens of calls are checked again, seconds. */
  readonly checkSeconds: number;
  /** How long a client may take nothing of an answer that waits for it, seconds. */
  readonly stallSeconds: number;
  readonly onCut: (reason: "stalled" | "token") => void;
  /** A call is ended with an error. */
  readonly onRefused: (facts: CallFacts, error: GrpcError) => void;
}

/** A call that has not ended. */
export interface OpenCall {
  readonly stream: Http2Stream;
  readonly user: string;
  readonly credentials: Credentials;
  readonly facts: CallFacts;
}

interface Watched {
  readonly call: OpenCall;
  checkedAt: number;
  /** When the client was last seen to take something, and how many bytes of the answer it had then. */
  takenAt: number;
  taken: number;
}

/** How many looks fit into the time that a reader may stall. */
const LOOKS = 4;

/** The calls under way: counts them, checks their tokens again, and cuts those whose clients take nothing. */
export class OpenCalls {
  readonly #options: OpenCallsOptions;
  readonly #calls = new Set<Watched>();
  readonly #ofUser = new Map<string, number>();
  #cancel: () => void = () => undefined;

  constructor(options: OpenCallsOptions) {
    this.#options = options;
    this.#lookLater();
  }

  get size(): number {
    return this.#calls.size;
  }

  /**
   * Adds a call until the result is called.
   *
   * @throws GrpcError `RESOURCE_EXHAUSTED`
   */
  add(call: OpenCall): () => void {
    const { most, mostPerUser, clock } = this.#options;
    const { user } = call;
    const own = this.#ofUser.get(user) ?? 0;
    if (this.#calls.size >= most)
      throw new GrpcError("RESOURCE_EXHAUSTED", "kindling-connect has too many calls at present");
    if (own >= mostPerUser)
      throw new GrpcError("RESOURCE_EXHAUSTED", `${user} has ${own} calls under way, and may have no more`);
    const now = clock.monotonic();
    const watched = { call, checkedAt: now, takenAt: now, taken: 0 };
    this.#calls.add(watched);
    this.#ofUser.set(user, own + 1);
    return () => {
      if (!this.#calls.delete(watched)) return;
      const left = (this.#ofUser.get(user) ?? 1) - 1;
      if (left === 0) this.#ofUser.delete(user);
      else this.#ofUser.set(user, left);
    };
  }

  /** Ends all calls; their clients come back to the next process. */
  endAll(): void {
    for (const { call } of this.#calls)
      endCall(call.stream, new GrpcError("UNAVAILABLE", "kindling-connect is being restarted"));
  }

  close(): void {
    this.#cancel();
  }

  #lookLater(): void {
    const { clock, checkSeconds, stallSeconds } = this.#options;
    this.#cancel = clock.after(Math.min(checkSeconds, stallSeconds / LOOKS) * 1000, () => {
      for (const watched of this.#calls) this.#look(watched);
      this.#lookLater();
    });
  }

  #look(watched: Watched): void {
    const { clock, checkSeconds, stallSeconds, onCut } = this.#options;
    const { call } = watched;
    const now = clock.monotonic();
    if (call.stream.queued === 0 || call.stream.sent !== watched.taken) {
      watched.taken = call.stream.sent;
      watched.takenAt = now;
    } else if (now - watched.takenAt >= stallSeconds * 1000) {
      onCut("stalled");
      // A status would wait behind what the client does not take, and so would a reset without an error. Clients of gRPC take
      // this one for UNAVAILABLE, and attach to their operation again.
      call.stream.reset(ERROR.REFUSED_STREAM);
      return;
    }
    if (now - watched.checkedAt < checkSeconds * 1000) return;
    watched.checkedAt = now;
    void this.#check(call);
  }

  async #check({ stream, user, credentials, facts }: OpenCall): Promise<void> {
    const { authenticator, onCut, onRefused } = this.#options;
    try {
      const found = await authenticator.authenticate(credentials);
      if (found.name === user) return;
    } catch (error) {
      // Only a clear answer ends a call: the API server or the issuer may be away for a moment.
      if (!(error instanceof GrpcError) || error.code !== "UNAUTHENTICATED") return;
    }
    onCut("token");
    const refusal = new GrpcError("UNAUTHENTICATED", "the token of this call has ended or was taken back");
    onRefused(facts, refusal);
    endCall(stream, refusal);
  }
}
