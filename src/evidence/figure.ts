/** A number with its unit, a date or a time, and where it stands. */
export type Figure = {
  readonly start: number;
  readonly end: number;
  /** The number without its writing: "12000" for 1.2万. */
  readonly number: string;
  readonly unit: string | undefined;
  /** The number in the unit that is written, where it is read in another: "2" for 2 years, "36" for 36 %. */
  readonly asWritten?: string;
  /** The same price said the other way: 0.88 for "12% off". */
  readonly also?: string | undefined;
};
