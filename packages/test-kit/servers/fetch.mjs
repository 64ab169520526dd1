// Fetches the real servers and programs that tests use if they are present; see README.md.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const root = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: "inherit", ...options });

function goProgram(name) {
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  run("go", ["install", name], { cwd: root, env: { ...process.env, GOBIN: bin } });
}

function versitygw() {
  goProgram("github.com/versity/versitygw/cmd/versitygw@v1.8.0");
}

function helm() {
  goProgram("helm.sh/helm/v3/cmd/helm@v3.22.0");
}

function hdfs() {
  const folder = join(root, "hdfs");
  mkdirSync(folder, { recursive: true });
  const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
  cpSync(join(here, "hdfs-pom.xml"), join(folder, "pom.xml"));
  run("mvn", ["-B", "-q", "dependency:copy-dependencies", `-DoutputDirectory=${join(folder, "lib")}`], { cwd: folder });
  // The servers' web pages are not in the jars, but folders for them must exist.
  for (const page of ["hdfs", "datanode", "static"])
    mkdirSync(join(folder, "webapps", page, "WEB-INF"), { recursive: true });
  for (const program of ["OneNodeHdfs.java", "SecureHdfs.java"]) {
    cpSync(join(here, program), join(folder, program));
    run("javac", ["-cp", join(folder, "lib", "*"), "-d", folder, join(folder, program)]);
  }
  writeFileSync(join(folder, "ready"), "");
}

const wanted = process.argv.slice(2);
for (const fetch of [versitygw, helm, hdfs]) if (wanted.length === 0 || wanted.includes(fetch.name)) fetch();
