import type { RunsRepo } from "@langchain/langgraph-api/storage";

import { isRecord } from "../../json/json.js";

/** Who asks, as LangGraph's server knows it. */
export type Auth = Parameters<RunsRepo["get"]>[2];

type Fields = Record<string, unknown>;

/** Where one run begins; the next one begins at the thread's end. */
const ofStart = ["checkpoint_id", "checkpoint_ns", "checkpoint_map"];
/** What LangGraph's server writes of a login into a config. */
const ofLogin = ["langgraph_auth_user", "langgraph_auth_user_id", "langgraph_auth_permissions"];

/** Several configs as one: a later one has its way. */
export function merged(...configs: readonly unknown[]): Fields {
  const given = configs.map(fieldsOf);
  const configurable = Object.assign({}, ...given.map((each) => each["configurable"]));
  return Object.assign({}, ...given, { configurable });
}

/** A config as its thread keeps it for later runs. */
export function keptOf(config: Fields): Fields {
  return without(config, ofStart);
}

/** A config with this login, and nothing that it said of another. */
export function withLogin(given: unknown, auth: Auth): Fields {
  const config = without(fieldsOf(given), ofLogin);
  if (auth === undefined) return config;
  const { user, scopes } = auth;
  const login = {
    langgraph_auth_user: user,
    langgraph_auth_user_id: user.identity,
    langgraph_auth_permissions: scopes,
  };
  return { ...config, configurable: { ...fieldsOf(config["configurable"]), ...login } };
}

function without(config: Fields, names: readonly string[]): Fields {
  const configurable = Object.entries(fieldsOf(config["configurable"]));
  const left = configurable.filter(([name]) => !names.includes(name));
  return { ...config, configurable: Object.fromEntries(left) };
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
