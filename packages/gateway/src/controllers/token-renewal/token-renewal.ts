import {
  againAfter,
  againLater,
  type Controller,
  done,
  type EventRecorder,
  keyOf,
  type ReconcileResult,
  type Term,
} from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { RenewableToken, TokenRenewer } from "@kindling/kerberos";
import { isNotFound } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { OWNED } from "../../cluster/upstream-types.ts";
import { textAt } from "../../json/fields.ts";
import { hasEnded, isDriver, podSubject } from "../../spark/spark-pod.ts";
import { mountedTokens, type MountedTokens } from "./mounted-tokens.ts";

/** How a renewal ended: `failed` is tried again, `refused` is for good. */
export type RenewalOutcome = "renewed" | "failed" | "refused";

export interface TokenRenewalOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventRecorder;
  readonly cluster: Pick<ClusterWatch, "podKeys" | "podAt">;
  readonly renewer: TokenRenewer;
  readonly onOutcome: (outcome: RenewalOutcome) => void;
}

/** The part of a token's remaining time after which it is renewed (Spark, spark.security.credentials.renewalRatio). */
const RATIO = 0.75;
const NEVER = Number.POSITIVE_INFINITY;

/** When tokens of a driver are to be renewed, in milliseconds since the epoch, by their file systems. */
interface Due {
  readonly uid: string;
  readonly at: Map<string, number>;
}

/**
 * Renews the delegation tokens of drivers while they wait and run. Nothing in the pods changes, because a renewed token has the
 * same bytes: the name node alone notes its later end. The times are not stored, so a new gateway renews all tokens once.
 */
export class TokenRenewal {
  readonly #client: Term["client"];
  readonly #options: TokenRenewalOptions;
  /** By the keys of drivers. */
  readonly #known = new Map<string, Due>();

  constructor({ client }: Term, options: TokenRenewalOptions) {
    this.#client = client;
    this.#options = options;
  }

  get controller(): Controller {
    const { cluster } = this.#options;
    return {
      name: "token-renewal",
      watches: [cluster.podKeys((pod) => (tokensOf(pod) === undefined ? [] : [keyOf(pod.metadata)]))],
      workers: 4,
      reconcile: (key) => this.#reconcile(key, cluster.podAt(key)),
    };
  }

  async #reconcile(key: string, driver: KubeObject | undefined): Promise<ReconcileResult> {
    const mounted = driver && tokensOf(driver);
    if (driver === undefined || mounted === undefined) {
      this.#known.delete(key);
      return done;
    }
    const due = this.#dueOf(key, driver);
    const next = Math.min(...due.at.values(), NEVER);
    // A Secret is immutable, so it has no other tokens than at the last time.
    if (due.at.size > 0 && next > this.#options.clock.now()) return this.#waitFor(next);
    try {
      const secret = await this.#client.get(OWNED.secrets, mounted.secret, { namespace: driver.metadata.namespace });
      return await this.#renewAll(driver, Buffer.from(textAt(secret, "data", mounted.item) ?? "", "base64"), due);
    } catch (error) {
      // A driver's Secrets may be made after it.
      if (isNotFound(error)) return againLater;
      throw error;
    }
  }

  #dueOf(key: string, { metadata: { uid } }: KubeObject): Due {
    const before = this.#known.get(key);
    const due = before?.uid === uid ? before : { uid, at: new Map<string, number>() };
    this.#known.set(key, due);
    return due;
  }

  async #renewAll(driver: KubeObject, file: Buffer, { at }: Due): Promise<ReconcileResult> {
    const { clock, renewer } = this.#options;
    const tokens = await renewer.tokensIn(file);
    // A file without tokens for this renewer is not looked at again.
    if (tokens.length === 0) at.set("", NEVER);
    let hasFailed = false;
    for (const token of tokens) {
      if ((at.get(token.fileSystem) ?? 0) > clock.now()) continue;
      const next = await this.#renew(driver, token);
      hasFailed ||= next === undefined;
      at.set(token.fileSystem, next ?? clock.now());
    }
    return hasFailed ? againLater : this.#waitFor(Math.min(...at.values(), NEVER));
  }

  /** When the token is to be renewed again; `undefined` if that failed. */
  async #renew(driver: KubeObject, token: RenewableToken): Promise<number | undefined> {
    const { clock, log, onOutcome } = this.#options;
    const { fileSystem, maxDate } = token;
    const about = { namespace: driver.metadata.namespace, driver: driver.metadata.name, fileSystem };
    const subject = `the delegation token for ${fileSystem}`;
    try {
      const renewal = await token.renew();
      if ("refused" in renewal) {
        onOutcome("refused");
        log.warn("a delegation token cannot be renewed", { ...about, reason: renewal.refused });
        this.#tell(driver, "TokenNotRenewed", `${subject} cannot be renewed: ${renewal.refused}`);
        return NEVER;
      }
      onOutcome("renewed");
      const { until } = renewal;
      const end = new Date(until).toISOString();
      log.info("a delegation token was renewed", { ...about, until: end });
      const now = clock.now();
      if (until < maxDate) return now + RATIO * (until - now);
      const words = `${subject} ends at ${end} and cannot be renewed again: the application then loses its access, unless it is started anew`;
      this.#tell(driver, "TokenEnds", words);
      return NEVER;
    } catch (error) {
      onOutcome("failed");
      log.warn("a delegation token was not renewed; it is tried again", { ...about, error: messageOf(error) });
      this.#tell(driver, "TokenNotRenewed", `${subject} was not renewed: ${messageOf(error)}`);
      return undefined;
    }
  }

  #tell(driver: KubeObject, reason: "TokenNotRenewed" | "TokenEnds", message: string): void {
    this.#options.events.tell(podSubject(driver), { type: "Warning", reason, name: "delegation-token", message });
  }

  #waitFor(time: number): ReconcileResult {
    return time === NEVER ? done : againAfter(Math.max(0, time - this.#options.clock.now()));
  }
}

/** The tokens of a driver that has not ended. */
function tokensOf(pod: KubeObject): MountedTokens | undefined {
  return isDriver(pod) && !hasEnded(pod) ? mountedTokens(pod) : undefined;
}
