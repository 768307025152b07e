/** A constant of nature with its value in SI units. */
export type PhysicalConstant = {
  readonly name: string;
  readonly symbol: string;
  readonly value: number;
  readonly unit: string;
  /** Other names and ways to write the symbol. */
  readonly aliases?: readonly string[];
};

/**
 * CODATA 2022: Mohr, Newell, Taylor, Tiesinga, "CODATA recommended values of the fundamental physical
 * constants: 2022" (NIST, https://physics.nist.gov/constants).
 */
export const physicalConstants: readonly PhysicalConstant[] = [
  { name: "speed of light in vacuum", symbol: "c", value: 299_792_458, unit: "m/s" },
  { name: "Planck constant", symbol: "h", value: 6.626_070_15e-34, unit: "J s" },
  {
    name: "reduced Planck constant",
    symbol: "ħ",
    value: 1.054_571_817e-34,
    unit: "J s",
    aliases: ["hbar", "ℏ", "Dirac constant"],
  },
  {
    name: "Newtonian constant of gravitation",
    symbol: "G",
    value: 6.674_30e-11,
    unit: "m^3/(kg s^2)",
    aliases: ["gravitational constant", "Newton's constant"],
  },
  {
    name: "standard acceleration of gravity",
    symbol: "g",
    value: 9.806_65,
    unit: "m/s^2",
    aliases: ["g_n", "gravitational acceleration of the earth", "gravity on earth"],
  },
  {
    name: "elementary charge",
    symbol: "e",
    value: 1.602_176_634e-19,
    unit: "C",
    aliases: ["electron charge"],
  },
  { name: "electron volt", symbol: "eV", value: 1.602_176_634e-19, unit: "J" },
  {
    name: "Boltzmann constant",
    symbol: "k",
    value: 1.380_649e-23,
    unit: "J/K",
    aliases: ["k_B", "kB"],
  },
  {
    name: "Avogadro constant",
    symbol: "N_A",
    value: 6.022_140_76e23,
    unit: "1/mol",
    aliases: ["NA", "Avogadro's number"],
  },
  {
    name: "molar gas constant",
    symbol: "R",
    value: 8.314_462_618,
    unit: "J/(mol K)",
    aliases: ["universal gas constant", "ideal gas constant"],
  },
  { name: "Faraday constant", symbol: "F", value: 96_485.332_12, unit: "C/mol" },
  {
    name: "Stefan-Boltzmann constant",
    symbol: "σ",
    value: 5.670_374_419e-8,
    unit: "W/(m^2 K^4)",
    aliases: ["sigma"],
  },
  {
    name: "Wien wavelength displacement law constant",
    symbol: "b",
    value: 2.897_771_955e-3,
    unit: "m K",
  },
  {
    name: "vacuum electric permittivity",
    symbol: "ε_0",
    value: 8.854_187_818_8e-12,
    unit: "F/m",
    aliases: ["epsilon_0", "epsilon0", "ε0", "electric constant"],
  },
  {
    name: "vacuum magnetic permeability",
    symbol: "μ_0",
    value: 1.256_637_061_27e-6,
    unit: "N/A^2",
    aliases: ["mu_0", "mu0", "μ0", "magnetic constant"],
  },
  {
    name: "fine-structure constant",
    symbol: "α",
    value: 7.297_352_564_3e-3,
    unit: "",
    aliases: ["alpha"],
  },
  {
    name: "Rydberg constant",
    symbol: "R_∞",
    value: 10_973_731.568_157,
    unit: "1/m",
    aliases: ["R_inf"],
  },
  { name: "Bohr radius", symbol: "a_0", value: 5.291_772_105_44e-11, unit: "m", aliases: ["a0"] },
  {
    name: "electron mass",
    symbol: "m_e",
    value: 9.109_383_713_9e-31,
    unit: "kg",
    aliases: ["me"],
  },
  {
    name: "proton mass",
    symbol: "m_p",
    value: 1.672_621_925_95e-27,
    unit: "kg",
    aliases: ["mp"],
  },
  {
    name: "neutron mass",
    symbol: "m_n",
    value: 1.674_927_500_56e-27,
    unit: "kg",
    aliases: ["mn"],
  },
  {
    name: "atomic mass constant",
    symbol: "m_u",
    value: 1.660_539_068_92e-27,
    unit: "kg",
    aliases: ["u", "dalton", "unified atomic mass unit"],
  },
  {
    name: "proton-electron mass ratio",
    symbol: "m_p/m_e",
    value: 1_836.152_673_426,
    unit: "",
  },
  { name: "Bohr magneton", symbol: "μ_B", value: 9.274_010_065_7e-24, unit: "J/T" },
  { name: "nuclear magneton", symbol: "μ_N", value: 5.050_783_739_3e-27, unit: "J/T" },
  { name: "von Klitzing constant", symbol: "R_K", value: 25_812.807_45, unit: "Ω" },
  {
    name: "standard atmosphere",
    symbol: "atm",
    value: 101_325,
    unit: "Pa",
    aliases: ["atmospheric pressure"],
  },
];
