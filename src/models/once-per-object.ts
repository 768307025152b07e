/** A function that computes its result once for each object, and keeps it while the object lives. */
export function oncePerObject<Key extends WeakKey, Value extends NonNullable<unknown>>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
