import type { Random } from "@kindling/outside";
import type { MemoryPlan } from "../budget/memory-plan.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { ProblemError } from "../errors/problem-error.ts";
import type { LedgerLimits, LedgerRequest } from "./ledger.ts";

export interface LedgerSettings {
  readonly config: Pick<
    ServerConfig,
    "limits.leasesPerNamespace" | "limits.openUploadsPerNamespace" | "limits.bundlesPerNamespace"
  >;
  readonly memory: Pick<MemoryPlan, "kept" | "keptPerNamespace">;
  /** In bytes; `undefined` for no limit. */
  readonly quotaOf: (namespace: string) => number | undefined;
  /** For `Retry-After`. */
  readonly random: Pick<Random, "fraction">;
}

/** The limits of a server, with messages for clients that reach them: which limit, how much there is, and what frees some. */
export function ledgerLimits({ config, memory, quotaOf, random }: LedgerSettings): LedgerLimits {
  const counted = (most: number, setting: string, things: string, frees: string, request: LedgerRequest) => {
    if (request.held + request.more <= most) return undefined;
    const detail = `namespace ${request.namespace} has ${request.held} ${things}, of ${most} it may have (${setting}); ${frees}`;
    return new ProblemError("limit-reached", detail, { retryAfterSeconds: 5 + Math.floor(random.fraction() * 10) });
  };
  return {
    refusal(request) {
      switch (request.kept) {
        case "leases": {
          const frees = "a lease ends with its bundle's commit, or unused after its time";
          return counted(config["limits.leasesPerNamespace"], "limits.leasesPerNamespace", "leases", frees, request);
        }
        case "uploads": {
          const frees = "an upload ends when it is complete, cancelled, or left alone for upload.ttl";
          const setting = "limits.openUploadsPerNamespace";
          return counted(config[setting], setting, "uploads under way", frees, request);
        }
        case "bundles": {
          const frees = "a bundle is deleted after its owner has ended; kindling staging rm deletes one";
          const setting = "limits.bundlesPerNamespace";
          return counted(config[setting], setting, "bundles", frees, request);
        }
        case "memory":
          return (
            counted(
              memory.keptPerNamespace,
              "limits.memoryPerNamespace",
              "bytes of memory",
              "leases, uploads and bundles take it",
              request,
            ) ?? withoutMemory(request)
          );
        case "disk":
          return overQuota(request);
        case "leftovers":
          // Things that are kept already are never refused.
          return undefined;
      }
    },
  };

  function withoutMemory({ more, heldByAll }: LedgerRequest): ProblemError | undefined {
    if (heldByAll + more <= memory.kept) return undefined;
    const detail = "the memory of the server for leases, uploads and bundles is used up (limits.memory)";
    return new ProblemError("limit-reached", detail, { retryAfterSeconds: 5 + Math.floor(random.fraction() * 10) });
  }

  /**
   * A namespace that deletes bundles has room for others at once, up to a limit: together with files that are not
   * collected yet, it may take at most twice its quota.
   */
  function overQuota({ namespace, held, more, leftovers }: LedgerRequest): ProblemError | undefined {
    const quota = quotaOf(namespace);
    if (quota === undefined || (held + more <= quota && held + leftovers + more <= 2 * quota)) return undefined;
    const taken = `namespace ${namespace} may take ${quota} bytes; it takes ${held}, and ${more} more were asked for`;
    if (held + more <= quota) {
      const detail = `${taken}; ${leftovers} bytes of deleted bundles are freed first, after lifecycle.blobGrace`;
      return new ProblemError("quota-exceeded", detail);
    }
    return new ProblemError("quota-exceeded", `${taken}; kindling staging rm deletes bundles`);
  }
}
