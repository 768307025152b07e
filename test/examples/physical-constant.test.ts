import { describe, expect, it } from "vitest";

import { physicalConstant } from "../../examples/science-router/physical-constant.js";
import { physicalConstants } from "../../examples/science-router/physical-constants.js";
import { evaluateExpression } from "../../src/tools/builtin/calculator.js";
import { toolRun } from "../support/tool-run.js";

const observe = (name: string) =>
  toolRun([physicalConstant]).observe("physical_constant", { name });

describe("a physical constant", () => {
  it.each([
    { asked: "speed of light", symbol: "c", value: 299792458, unit: "m/s" },
    { asked: "the light speed", symbol: "c", value: 299792458, unit: "m/s" },
    { asked: "Planck's constant", symbol: "h", value: 6.62607015e-34, unit: "J s" },
    { asked: "hbar", symbol: "ħ", value: 1.054571817e-34, unit: "J s" },
    { asked: "G", symbol: "G", value: 6.6743e-11, unit: "m^3/(kg s^2)" },
    { asked: "g", symbol: "g", value: 9.80665, unit: "m/s^2" },
    { asked: " gravitational constant ", symbol: "G", value: 6.6743e-11, unit: "m^3/(kg s^2)" },
    { asked: "mass of the electron", symbol: "m_e", value: 9.1093837139e-31, unit: "kg" },
    { asked: "m_p", symbol: "m_p", value: 1.67262192595e-27, unit: "kg" },
    { asked: "K_b", symbol: "k", value: 1.380649e-23, unit: "J/K" },
    { asked: "Avogadro's number", symbol: "N_A", value: 6.02214076e23, unit: "1/mol" },
    { asked: "\u00B50", symbol: "μ_0", value: 1.25663706127e-6, unit: "N/A^2" },
    { asked: "fine structure constant", symbol: "α", value: 7.2973525643e-3, unit: "" },
  ])("is found as $asked", async ({ asked, ...known }) => {
    const { ok, value } = await observe(asked);
    expect(ok).toBe(true);
    expect(value).toMatchObject(known);
  });

  it.each([
    {
      name: "one that is spelled wrong",
      asked: "Boltzman",
      told: /"Boltzman".* Known: .*; Boltzmann constant;/,
    },
    {
      name: "one that may be several",
      asked: "mass",
      told: / Known: electron mass; proton mass; neutron mass[^;]*;/,
    },
    { name: "no name at all", asked: " the constant ", told: / Known: speed of light/ },
  ])("that is not known is told with those that may be meant: $name", async ({ asked, told }) => {
    const { ok, error } = await observe(asked);
    expect(ok).toBe(false);
    expect(error?.kind).toBe("invalid_arguments");
    expect(error?.message).toMatch(told);
  });

  it.each(physicalConstants)("$name is found by its name and its symbol", async (constant) => {
    for (const asked of [constant.name, constant.symbol, ...(constant.aliases ?? [])]) {
      expect((await observe(asked)).value).toMatchObject({ name: constant.name });
    }
  });

  it("has a value that the calculator takes as it stands", () => {
    for (const { value } of physicalConstants) {
      expect(Number(evaluateExpression(`${value} * 1`)) / value).toBeCloseTo(1, 11);
    }
  });
});
