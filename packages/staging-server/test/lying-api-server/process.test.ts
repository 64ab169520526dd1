import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectStaging, uploadBundle, type BundleStatus } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { someRounds } from "@kindling/test-kit/rounds";
import { stagingCommand, type StagingCommand } from "@kindling/test-kit/staging-command";
import { driverPod, removePod } from "../support/driver-pod.ts";
import { PATIENCE, pathOf } from "../support/driver-scene.ts";
import { httpCall } from "../support/http-call.ts";
import { replaceApiServer, restoreApiServer, type Impostor } from "../support/impostor.ts";
import { PROGRAM } from "../support/program.ts";
import { servedCluster } from "../support/served-cluster.ts";
import { TEST_OWNER } from "../support/test-server.ts";
import { FORGETFUL, NULL_EVENTS, STRANGERS } from "./impostors.ts";

/** A server process that checks its bundles each second, and whose lifetimes are only seconds. */
async function startHasty(folder: string, kubeconfig: string): Promise<StagingCommand> {
  const settings = {
    "listen-host": "127.0.0.1",
    "listen-port": "0",
    "admin-host": "127.0.0.1",
    "admin-port": "0",
    "auth-mode": "none",
    "store-path": join(folder, "data"),
    "store-min-free": "0",
    "cluster-kubeconfig": kubeconfig,
    "lifecycle-interval": "1s",
    "lifecycle-confirm-after": "2s",
    "lifecycle-unused-ttl": "1s",
    "lifecycle-orphan-grace": "1s",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return stagingCommand(PROGRAM, args);
}

async function faultsOf(server: StagingCommand): Promise<number> {
  const { body } = await httpCall(new URL("metrics", server.adminUri).href);
  return Number(/^staging_owner_check_errors_total (\d+)$/m.exec(body.toString())?.[1] ?? 0);
}

const impostors: readonly (readonly [name: string, impostor: Impostor])[] = [
  ...STRANGERS.slice(0, 1),
  ["events that are null", NULL_EVENTS],
  ["lists that leave the driver pod out", FORGETFUL],
];

it.each(someRounds("impostors of a process", impostors, 1 / 3))(
  "a server process keeps the bundle of a running driver when it is told of %s, and drops it when the driver is gone",
  async (_name, impostor) => {
    const folder = scratchFolder().path;
    const { cluster, kubeconfig } = await servedCluster();
    const { api } = cluster;
    const driver = await cluster.createPod(driverPod());
    const server = await startHasty(folder, kubeconfig);
    await writeFile(join(folder, "app.jar"), "x".repeat(1_000));
    const client = connectStaging({ uri: server.uri });
    const files = [{ path: join(folder, "app.jar"), name: "jars/app.jar", kind: "jar" }];
    const { bundleId } = await uploadBundle(client, { files, owner: TEST_OWNER });
    client.close();
    const status = async (): Promise<BundleStatus | undefined> => {
      const answer = await httpCall(new URL(`api/v1/bundles/${bundleId}/status`, server.uri).href);
      return answer.status === 404 ? undefined : (answer.json as BundleStatus);
    };
    const runs = { state: "used", ownerState: "present" };
    await eventually(async () => expect(await status()).toMatchObject(runs), PATIENCE);

    const [faultsBefore, askedBefore] = [await faultsOf(server), api.requests.length];
    await replaceApiServer(cluster, impostor);
    // Several checks of the bundle, each of which might have deleted it.
    await eventually(async () => {
      const [faults, asked] = [(await faultsOf(server)) - faultsBefore, api.requests.length - askedBefore];
      expect(faults >= 4 || asked >= 20).toBe(true);
    }, PATIENCE);
    expect(await status()).toBeDefined();

    restoreApiServer(cluster);
    await cluster.send("PATCH", pathOf(driver), { metadata: { annotations: { changed: "now" } } });
    await eventually(async () => expect(await status()).toMatchObject(runs), PATIENCE);
    await removePod(cluster, driver);
    await eventually(async () => expect(await status()).toBeUndefined(), PATIENCE);
    await eventually(() => expect(server.log()).toMatch(/"reason":"owner-gone"/), PATIENCE);
    expect(await server.stop()).toBe(0);
  },
  240_000,
);
