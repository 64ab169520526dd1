import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemRandom } from "@kindling/outside";
import { selfSigned } from "@kindling/x509";
import { describe, expect, test } from "vitest";
import { checksum } from "../src/index.ts";
import { start } from "./support/server.ts";
import { runStockClient, SPARKS } from "./support/stock-client.ts";

const BLOCKS = [Buffer.from("first"), Buffer.alloc(0), Buffer.alloc(5_000_000, "third"), Buffer.from("fourth")];

function shown(name: string, ...blocks: readonly Buffer[]): string {
  const all = Buffer.concat(blocks);
  return `${name} ${all.length} ${createHash("sha256").update(all).digest("hex").slice(0, 8)}; `;
}

const [a = Buffer.alloc(0), b = a, c = a, d = a] = BLOCKS;

describe.skipIf(SPARKS.length === 0)("Spark's own client", () => {
  test.each(SPARKS)("of $version registers, fetches in all ways, and removes", async ({ home }) => {
    await using running = await start();
    running.files.writeMap(0, 0, BLOCKS, "ADLER32");
    running.files.writeMap(0, 7_000_000_000n, [d, c]);
    running.files.write("rdd_3_4", Buffer.from("a block of an RDD"));
    const sum = checksum("ADLER32");
    sum?.update(c);
    const answers = await runStockClient({ home, port: running.server.port }, [
      `register ${running.files.localDirs.join(",")}`,
      "fetch shuffle_0_0_0,shuffle_0_0_2,shuffle_0_7000000000_1",
      "fetch shuffle_0_0_0_4,shuffle_0_7000000000_0_1",
      "stream shuffle_0_0_0,shuffle_0_0_2",
      "old shuffle_0_0_3,shuffle_0_0_1",
      "fetch rdd_3_4,rdd_3_5",
      `dirs 1`,
      `diagnose 0 0 2 ${sum?.value ?? 0} ADLER32`,
      "diagnose 0 0 2 5 ADLER32",
      "remove shuffle_0_0_0.data,shuffle_0_0_0.index,shuffle_9_9_0.data",
      "fetch shuffle_0_0_0",
      "register /usr/lib",
    ]);
    expect(answers.slice(0, 10)).toEqual([
      "registered",
      shown("shuffle_0_0_0", a) + shown("shuffle_0_0_2", c) + shown("shuffle_0_7000000000_1", c),
      shown("shuffle_0_0_0_4", a, b, c, d) + shown("shuffle_0_7000000000_0_1", d),
      shown("shuffle_0_0_0", a) + shown("shuffle_0_0_2", c),
      shown("shuffle_0_0_3", d) + shown("shuffle_0_0_1", b),
      expect.stringMatching(/^rdd_3_4 17 \w+; rdd_3_5 failed: .*Chunk was not found; $/),
      running.files.localDirs.join(","),
      "CHECKSUM_VERIFY_PASS",
      "NETWORK_ISSUE",
      "removed 2",
    ]);
    expect(answers[10]).toMatch(/^shuffle_0_0_0 failed: .*Failed to open file: .*shuffle_0_0_0.index; $/);
    expect(answers[11]).toMatch(
      /^failed: .*localDirs entry is not under any of the service's local directories: \/usr\/lib$/,
    );
  });

  const crypto = ["spark.network.crypto.enabled=true", "spark.network.crypto.saslFallback=false"];
  const ways = SPARKS.flatMap(({ version, home }) => [
    { version, home, way: "SASL", settings: [] },
    { version, home, way: "its protocol 1", settings: [...crypto, "spark.network.crypto.authEngineVersion=1"] },
    { version, home, way: "its protocol 2", settings: [...crypto, "spark.network.crypto.authEngineVersion=2"] },
    // Before 4.3, Spark's own service cannot read a second message with this cipher.
    ...(version === "4.3.0"
      ? [1, 2].map((protocol) => ({
          version,
          home,
          way: `its protocol ${protocol} and AES-GCM`,
          settings: [
            ...crypto,
            "spark.network.crypto.cipher=AES/GCM/NoPadding",
            `spark.network.crypto.authEngineVersion=${protocol}`,
          ],
        }))
      : []),
  ]);

  const withTls = SPARKS.filter(({ version }) => !version.startsWith("3."));

  test.skipIf(withTls.length === 0).each(withTls)(
    "of $version speaks TLS, with SASL inside of it",
    async ({ home }) => {
      const folder = mkdtempSync(join(tmpdir(), "ksh-tls-"));
      const { certificate, key } = selfSigned(systemClock, systemRandom(), "an-executor", 1);
      const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
      writeFileSync(certFile, certificate);
      writeFileSync(keyFile, key);
      await using running = await start({ tls: { certificate, key }, secret: "c2VjcmV0" });
      running.files.writeMap(0, 0, BLOCKS);
      const settings = [
        "spark.ssl.rpc.enabled=true",
        "spark.ssl.rpc.openSslEnabled=true",
        "spark.ssl.rpc.protocol=TLSv1.3",
        `spark.ssl.rpc.certChain=${certFile}`,
        `spark.ssl.rpc.privateKey=${keyFile}`,
      ];
      const options = { home, port: running.server.port, settings, secret: "c2VjcmV0" };
      const answers = await runStockClient(options, [
        `register ${running.files.localDirs.join(",")}`,
        "fetch shuffle_0_0_0,shuffle_0_0_2",
        "stream shuffle_0_0_2,shuffle_0_0_0",
        "remove shuffle_0_0_0.data",
      ]);
      rmSync(folder, { recursive: true });
      expect(answers).toEqual([
        "registered",
        shown("shuffle_0_0_0", a) + shown("shuffle_0_0_2", c),
        shown("shuffle_0_0_2", c) + shown("shuffle_0_0_0", a),
        "removed 1",
      ]);
    },
  );

  test.each(ways)("of $version authenticates by $way", async ({ home, settings }) => {
    await using running = await start({ secret: "c2VjcmV0" });
    running.files.writeMap(0, 0, BLOCKS);
    const { port } = running.server;
    const lines = [
      `register ${running.files.localDirs.join(",")}`,
      "fetch shuffle_0_0_0,shuffle_0_0_1,shuffle_0_0_2,shuffle_0_0_3",
      "stream shuffle_0_0_2,shuffle_0_0_0",
      "remove shuffle_0_0_0.data",
    ];
    const [right, wrong] = await Promise.all([
      runStockClient({ home, port, secret: "c2VjcmV0", settings }, lines),
      runStockClient({ home, port, secret: "b3RoZXI=", settings }, [lines[1] ?? ""]),
    ]);
    expect(right).toEqual([
      "registered",
      shown("shuffle_0_0_0", a) + shown("shuffle_0_0_1", b) + shown("shuffle_0_0_2", c) + shown("shuffle_0_0_3", d),
      shown("shuffle_0_0_2", c) + shown("shuffle_0_0_0", a),
      "removed 1",
    ]);
    expect(wrong[0]).toMatch(/failed/);
    expect(running.log.filter((line) => line.startsWith("refused (authentication)"))).toHaveLength(1);
  });
});
