import { openSqlite } from '../../../src/store/drivers/sqlite.ts';

/* A process that opens the file that it is given, and prints whether it made it and what it reads. */
const store = await openSqlite({ file: String(process.argv[2]), monotonic: () => performance.now() });
console.log(store.created, await store.read.settings.find('sandbox_secret'));
await store.close();
