import { expect, test } from "vitest";
import { readProcess } from "../../src/metrics/process-metrics.ts";
import { metricsOf, series } from "./scrape.ts";

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max address space         4294967296           unlimited            bytes
`;

const NETSTAT = `TcpExt: SyncookiesSent SyncookiesRecv
TcpExt: 1 2
IpExt: InNoRoutes InOctets OutOctets
IpExt: 0 185707115105 178863898130
`;

test("the network and the limit of memory are told as by Go's client", async () => {
  const files: Readonly<Record<string, string>> = { limits: LIMITS, "net/netstat": NETSTAT };
  const metrics = metricsOf({}, { readProcess: (file) => files[file] });
  const told = {
    process_network_receive_bytes_total: 185707115105,
    process_network_transmit_bytes_total: 178863898130,
  };
  expect(await series(metrics, "process_network_")).toEqual(told);
  // They are totals, not changes since the last scrape.
  expect(await series(metrics, "process_network_")).toEqual(told);
  expect(await series(metrics, "process_virtual_memory_max_")).toEqual({ process_virtual_memory_max_bytes: 2 ** 32 });
  const text = await metrics.registry.metrics();
  for (const name of Object.keys(told)) expect(text).toContain(`# TYPE ${name} counter`);
  expect(text).toContain("# TYPE process_virtual_memory_max_bytes gauge");
});

test("no limit is the largest number of the kernel", async () => {
  const limits = LIMITS.replace("4294967296", "unlimited");
  const metrics = metricsOf({}, { readProcess: (file) => (file === "limits" ? limits : undefined) });
  expect(await series(metrics, "process_virtual_memory_max_")).toEqual({ process_virtual_memory_max_bytes: 2 ** 64 });
});

test("nothing is told where the system has no such files", async () => {
  const text = await metricsOf().registry.metrics();
  expect(text).not.toMatch(/process_network_|process_virtual_memory_max_/);
});

test.runIf(process.platform === "linux")("this process's files are read", () => {
  expect(readProcess("limits")).toContain("Max address space");
  expect(readProcess("nothing-of-this-name")).toBeUndefined();
});
