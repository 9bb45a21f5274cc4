console.log('checks', process.version, process.argv.slice(2))
