// What a program of ours uses and Node 20 lacks; put in front of every bundle.
Promise.withResolvers ??= () => {
  /** @type {any} */
  const deferred = {}
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred
}
