import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { faultyDiskServer } from "../support/faulty-disk-server.ts";
import { PatientClient } from "../support/patient-client.ts";

const CODES = ["ENOSPC", "EIO", "EROFS", "EDQUOT", "EMFILE"] as const;

it.each([
  ["an upload that is resumed", "resumableFlow"],
  ["an upload in one request", "oneShotFlow"],
  ["an upload that is given up", "cancelFlow"],
  ["a collection", "collectFlow"],
] as const)(
  "answers every request, leaks no file, and gets through, whichever call of the disk fails during %s",
  async (_what, flow) => {
    const server = await faultyDiskServer({ "store.path": scratchFolder().path, "lifecycle.blobGrace": 0 });
    const client = (): PatientClient => new PatientClient({ call: (path, call) => server.call(path, call) });
    // Files and folders that are made only once exist now.
    await client()[flow]();
    await server.arm(null);
    await client()[flow]();
    const { calls } = await server.calls();
    expect(calls.length).toBeGreaterThan(10);
    let met = 0;
    for (let at = 1; at <= calls.length; at++) {
      const code = CODES[at % CODES.length] ?? "EIO";
      await server.arm({ at, code });
      const patient = client();
      await patient[flow]();
      met += patient.failures.length;
      await eventually(async () => expect(await server.openFiles(), `after ${code} at call ${at}`).toEqual([]));
    }
    // Some of the failures must reach the client, or the test would prove nothing.
    expect(met).toBeGreaterThan(0);
    await server.arm(null);
    expect((await server.call("api/v1/stat")).json).toMatchObject({ reservedBytes: 0 });
  },
  180_000,
);
