/// What the server and its page take for granted.
struct WebSettings: Sendable {
    /// Where the page is found when the port is free.
    static let usualPort = 8642
    /// Bytes of a request's line and headers.
    var headLimit = 16 << 10
    /// Bytes of a request's body: an entry of a page.
    var bodyLimit = 1 << 20
    /// Connections at a time; a browser opens six for a page.
    var connections = 64
    /// Milliseconds in which a request has to arrive once it has begun.
    var requestTime: Int64 = 10_000
    /// Milliseconds that a connection may be silent between requests.
    var idleTime: Int64 = 60_000
    /// Milliseconds in which a response has to be taken.
    var sendTime: Int64 = 30_000
    /// Milliseconds that a client whose request was cut off has to read why.
    var partingTime: Int64 = 2_000
    /// Rows of a value that a page gets.
    static let rowLimit = 10_000
    /// Moments of a walk that a page gets; of longer ones not each fix.
    static let playedMoments = 8000
    /// Bytes of tiles that are kept.
    static let tileCacheBytes = 16 << 20
    /// Bytes of images that are kept for pages.
    static let imageBytes = 16 << 20
    /// Bytes of a file that a page downloads.
    static let fileBytes = 64 << 20
    /// Bytes of a file that are sent at a time.
    static let filePart = 256 << 10
    /// Files that are kept to be downloaded.
    static let keptFiles = 8
    /// Columns of text that a page may ask for.
    static let widths = 20...400
    /// Where Debian's package puts Leaflet.
    static let leafletFolder = "/usr/share/javascript/leaflet"
}
