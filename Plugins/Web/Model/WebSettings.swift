/// Settings of the server and its page.
struct WebSettings: Sendable {
    /// The default port.
    static let usualPort = 8642
    /// Maximum bytes of a request's line and headers.
    var headLimit = 16 << 10
    /// Maximum bytes of a request's body: an entry of a page.
    var bodyLimit = 1 << 20
    /// Maximum number of connections; a browser opens six for a page.
    var connections = 64
    /// Milliseconds in which a started request must arrive.
    var requestTime: Int64 = 10_000
    /// Milliseconds of silence allowed between requests.
    var idleTime: Int64 = 60_000
    /// Milliseconds in which a client must receive a response.
    var sendTime: Int64 = 30_000
    /// Milliseconds for a client to read the reason of a rejected request.
    var closingTime: Int64 = 2_000
    /// Maximum rows of a value sent to a page.
    static let rowLimit = 25_000
    /// Maximum fixes of a walk sent to a page; longer walks are thinned.
    static let playedMoments = 8000
    /// Maximum points of a recorded line sent to a page: more than the pixels that it crosses on a screen.
    static let linePoints = 5000
    /// Metres by which a longer line is simplified at first, and the factor by which more until it has no more points.
    static let lineTolerance = (first: 1.0, factor: 2.0)
    /// Points that are simplified at a time.
    static let linePart = 256
    /// Metres over which the grade of a profile is measured, as on maps coloured by grade: elevations are known to a few metres.
    static let gradeLength = 50.0
    /// A grade over fewer metres is not known.
    static let leastGradeLength = 10.0
    /// Maximum bytes of cached tiles.
    static let tileCacheBytes = 16 << 20
    /// Maximum bytes of images kept for pages.
    static let imageBytes = 16 << 20
    /// Maximum bytes of a downloaded file.
    static let fileBytes = 64 << 20
    /// Bytes of a file sent at a time.
    static let filePart = 256 << 10
    /// Number of files kept for download.
    static let keptFiles = 8
    /// Maximum bytes of the files that pages hand over at a time.
    static let uploadBytes = 8 << 30
    /// Maximum characters of the name of such a file.
    static let uploadName = 120
    /// Pause between two reports of progress to a page.
    static let progressPause = Duration.milliseconds(200)
    /// Maximum number of tiles whose attributions are asked for at a time, and that are remembered.
    static let creditedTiles = (asked: 4096, kept: 20_000)
    /// Columns of text that a page may request.
    static let widths = 20...400
    /// The folder of Leaflet in Debian's package.
    static let leafletFolder = "/usr/share/javascript/leaflet"
}
