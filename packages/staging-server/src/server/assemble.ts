import type { ServerContext } from "../routes/server-context.ts";
import { requestLimits } from "./request-limits.ts";
import type { Assembly } from "./assembly.ts";
import { openInventory } from "./inventory.ts";
import { upkeep } from "./upkeep.ts";
import { addWatchedValues } from "./watched-values.ts";

/** Puts a server's parts together, from the storage up. */
export async function assemble(assembly: Assembly): Promise<ServerContext> {
  const { config, plan, connections, metrics, clock, random, log, authenticator, stopping } = assembly;
  const inventory = await openInventory(assembly);
  const admitted = requestLimits(assembly);
  const context: ServerContext = {
    config,
    plan,
    log,
    clock,
    random,
    authenticator,
    connections,
    metrics,
    stopping,
    ...inventory,
    ...admitted,
    ...upkeep(assembly, inventory, admitted.gates),
  };
  addWatchedValues(context, assembly.damage);
  return context;
}
