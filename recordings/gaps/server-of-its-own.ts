import { startServer } from '../../clusters/embedded/server/server.ts'
import { Target } from '../replay/target.ts'

/** Starts an embedded API server for as long as it is asked. */
export async function withServerOfItsOwn<T>(ask: (target: Target) => Promise<T>): Promise<T> {
  const server = await startServer()
  const target = new Target({
    server: `https://127.0.0.1:${server.port}`,
    certificateAuthority: server.authority,
    token: server.token,
    insecure: false,
    namespace: 'default',
  })
  try {
    return await ask(target)
  } finally {
    target.close()
    await server.close()
  }
}
