/// Commands of earlier versions by name, each with what to type now.
enum FormerCommands {
    static let all: [String: String] = [
        "stops region": "stop list", "stops near": "stop near", "stops search": "stop find",
        "stops show": "stop show", "stops cluster": "stop cluster", "stop routes": "stop lines",
        "map view": "stop map", "map move": "stop map --to PLACE", "map zoom": "stop map --zoom LEVEL",
        "map play": "stop play",
        "drawer": "stop drawer", "drawer open": "stop drawer STOP", "drawer close": "stop drawer --close",
        "drawer scroll": "stop drawer --scroll ROWS", "drawer collapsed": "stop drawer --state collapsed",
        "drawer half": "stop drawer --state half", "drawer full": "stop drawer --state full",
        "lines": "line list", "shapes": "line shapes",
        "transit import": "feed import", "transit info": "feed show", "transit sample": "feed sample",
        "transit check": "feed check", "transit diff": "feed diff", "transit service": "feed service",
        "transit realtime": "feed realtime", "transit alerts": "feed alerts",
        "transit vehicles": "feed vehicles",
        "transit open": "store open FILE", "transit own": "store use",
    ]
}
