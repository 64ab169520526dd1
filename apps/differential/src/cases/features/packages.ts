import type { Draft } from "../draft.ts";

/** Packages by Maven's coordinates, from a repository in the work folder: no case uses the network. */
export function packages(draft: Draft): void {
  const { dice, files } = draft;
  const resolver = '<filesystem name="here" m2compatible="true">';
  const place = "{W}/maven/[organisation]/[module]/[revision]/[module]-[revision]";
  files["ivy.xml"] = [
    '<ivysettings><settings defaultResolver="here"/><resolvers>',
    `${resolver}<ivy pattern="${place}.pom"/><artifact pattern="${place}.[ext]"/></filesystem></resolvers></ivysettings>\n`,
  ].join("\n");
  draft.conf("spark.jars.ivySettings", "{W}/ivy.xml");
  draft.conf("spark.jars.ivy", "{W}/ivy");
  for (const name of ["one", "two"]) {
    const head = `<project><modelVersion>4.0.0</modelVersion><groupId>org.x</groupId><artifactId>${name}</artifactId>`;
    files[`maven/org/x/${name}/1/${name}-1.pom`] = `${head}<version>1</version></project>\n`;
    files[`maven/org/x/${name}/1/${name}-1.jar`] = name;
  }
  const odd = [
    "",
    "org.x:one",
    "org.x:one:1:jar",
    "org.x/one/1",
    " org.x:one:1 , org.x:two:1",
    "org.x:none:1",
    "a:b:c:d:e",
    ",",
  ];
  const named = dice.mostly(["org.x:one:1", "org.x:one:1,org.x:two:1"], odd, 0.25);
  if (dice.chance(0.6)) draft.flag("--packages", named);
  else draft.conf("spark.jars.packages", named);
  if (dice.chance(0.4)) {
    const value = dice.mostly(["org.x:two", "org.x:two,org.y:z"], ["", "org.x", "a:b:c"], 0.2);
    if (dice.chance(0.6)) draft.flag("--exclude-packages", value);
    else draft.conf("spark.jars.excludes", value);
  }
  if (dice.chance(0.4)) {
    const value = dice.mostly(
      ["http://127.0.0.1:9/r", "http://127.0.0.1:9/a,http://127.0.0.1:9/b"],
      ["", "x", "file:///none"],
      0.2,
    );
    if (dice.chance(0.6)) draft.flag("--repositories", value);
    else draft.conf("spark.jars.repositories", value);
  }
}
