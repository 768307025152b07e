/** English words that say nothing about a subject. */
const english = new Set(
  `a about after all also am an and any are as at be because been before being but by can cannot could did do does
  doing don for from get give had has have having he her here him his how i if in into is it its just let may me might
  more most must my no not of on one only or other our please shall she should so some such tell than that the their
  them then there these they this those to too us use very want was we were what when where which who whom why will
  with would you your`.split(/\s+/),
);

/** Chinese characters that say nothing about a subject; a pair of them is a stop word, a pair with another is none. */
const chinese = new Set(
  "的了吗呢吧啊呀哦嘛是在和与及或我你您他她它们这那哪有没就都也很要会能可以请问怎么样什如何为么谁个把被给跟对让到从去来吗着过得地下上里之其此所而但并且若则因此",
);

/** Whether a token, in folded form, is a stop word of English or Chinese. */
export function isStop(token: string): boolean {
  return english.has(token) || Array.from(token).every((character) => chinese.has(character));
}
