export { parseProfiles, type ProfilesRead } from "./profiles/parse-profiles.ts";
export type { Access, ContainerEngine, Profile, Sharing, SparkEngine } from "./profiles/profile.ts";
