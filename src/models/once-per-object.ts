/** A function that makes its result once for each object, and keeps it as long as the object lives. */
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
