"""websockets, websocket-client and aiohttp's web sockets: connections answer, and then close."""
