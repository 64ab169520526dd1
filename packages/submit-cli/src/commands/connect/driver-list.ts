import type { CommandLine } from "@kindling/command-line";
import type { KubeClient } from "@kindling/kube";
import { type ConnectDriver, listConnectDrivers } from "@kindling/submit";

/** The drivers that the options of a command line choose. Throws KubeError. */
export async function chosenDrivers(
  client: KubeClient,
  line: CommandLine,
  wanted: Parameters<typeof listConnectDrivers>[1],
): Promise<ConnectDriver[]> {
  const [profile, user] = [line.value("profile"), line.value("user")];
  const all = await listConnectDrivers(client, wanted);
  return all.filter(
    (driver) => (profile === undefined || driver.profile === profile) && (user === undefined || driver.user === user),
  );
}
