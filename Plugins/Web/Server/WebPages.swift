import Core
import Formats
import PluginKit

/// Answers admitted requests.
struct WebPages: Sendable {
    let entries: any EntryRunning
    let isReadOnly: Bool
    let permits: EntryPermits
    let tiles: TilePages
    let images = ImagePages(limit: WebSettings.imageBytes)
    let feeds: LiveFeeds
    let downloads = FilePages()
    let uploads = UploadPages()
    /// Sends an event to all pages.
    let send: @Sendable (String) -> Void
    let files = PageFiles()

    func response(to request: WebRequest) async -> WebResponse {
        switch (request.method, request.path) {
        case ("GET", "/api/session"): await session()
        case ("GET", "/api/files"): .json(JSONTree.list(files.paths.map { .text($0) }).compactText)
        case ("GET", "/api/icons"): .json(IconPages.text)
        case ("GET", let path) where path.hasPrefix("/tiles/"): await tiles.response(to: path)
        case ("GET", let path) where path.hasPrefix("/images/"): images.response(to: path)
        case ("GET", let path) where path.hasPrefix("/files/"): downloads.response(to: path)
        case ("POST", "/api/run"): await run(request)
        case ("POST", "/api/stop"): stop(request)
        case ("POST", "/api/upload"): upload(request)
        case ("GET", let path), ("HEAD", let path): file(path, request)
        default: .text(405, "use GET or HEAD, or POST to /api/run, /api/stop or /api/upload\n")
        }
    }

    private func file(_ path: Substring, _ request: WebRequest) -> WebResponse {
        guard let file = files[path] else {
            if path.hasPrefix("/leaflet/"), !files.hasLeaflet {
                return .text(404, "the map requires Debian's package libjs-leaflet\n")
            }
            return .text(404, "unknown page\n")
        }
        let headers = [("Content-Type", file.type), ("ETag", file.tag), ("Cache-Control", "no-cache")]
        if request.only("if-none-match") == file.tag { return WebResponse(status: 304, headers: headers) }
        return WebResponse(status: 200, headers: headers, body: file.bytes)
    }

    /// Facts of the session shown in every section.
    private func session() async -> WebResponse {
        do {
            let context = try await entries.context()
            let moment = await entries.cells([.date(context.clock.now)])[0]
            let facts = JSONTree(members: [
                "workspace": .text(context.workspace.lastPathComponent),
                "device": context.activeWorkspace.name.map { .text($0) },
                "store": context.stores.current.map { .text($0.name) },
                "clock": .text(moment),
                "followsClock": .boolean(context.clock.isFollowing),
                "timezone": .text(context.environment.timeZone.identifier),
                "units": .text(context.environment.units.rawValue),
                "readOnly": .boolean(isReadOnly),
                "hasLeaflet": .boolean(files.hasLeaflet),
            ])
            return .json(facts.compactText)
        } catch {
            return .text(500, "the session has ended\n")
        }
    }

    /// `{"entry": …}`: runs an entry and returns its result.
    private func run(_ request: WebRequest) async -> WebResponse {
        guard request.only("content-type") == "application/json" else {
            return .text(415, "entries must be sent as application/json\n")
        }
        let asked: RunRequest
        do {
            asked = try RunRequest(json: try JSONTree(parsing: request.body))
        } catch {
            return .text(400, "not a request to run an entry: \(error)\n")
        }
        var options = EntryRunOptions(
            width: asked.width, isRecorded: asked.isRecorded, isReadOnly: isReadOnly,
            permit: permits[request.only(EntryPermits.header)])
        options.leavesLiveRows = asked.views.contains("live")
        let progress = asked.run.map { ProgressFeed(run: $0, send: send) }
        let sink = progress.map { feed in EntryProgress.Sink { feed.report($0) } }
        let fixed = options
        let response = await EntryProgress.$sink.withValue(sink) { await result(of: asked, fixed) }
        for batch in asked.uploads { uploads.discard(batch) }
        return response
    }

    private func result(of asked: RunRequest, _ options: EntryRunOptions) async -> WebResponse {
        let view = ResultView(entries: entries, images: images, feeds: feeds)
        guard asked.views.contains("file") else {
            return .json(await view.text(of: await entries.run(asked.entry, options), asked: asked))
        }
        let (outcome, file) = await downloads.collect { folder in
            var options = options
            options.outputFolder = folder
            return await entries.run(asked.entry, options)
        }
        return .json(await view.text(of: outcome, asked: asked, file: file))
    }

    /// Takes a part of a file to be imported.
    private func upload(_ request: WebRequest) -> WebResponse {
        guard !isReadOnly else { return .text(403, "this page is read-only\n") }
        guard let part = UploadPages.Part(request) else {
            return .text(400, "not a part of a file\n")
        }
        do {
            return .json(try uploads.add(part).compactText)
        } catch {
            let known = error as? RutterError
            return .text(507, [known?.message, known?.fix].compactMap(\.self).joined(separator: ". ") + "\n")
        }
    }

    /// `{"live": …}`: stops a feed of rows.
    private func stop(_ request: WebRequest) -> WebResponse {
        guard let number = try? JSONTree(parsing: request.body).read("live") as Int else {
            return .text(400, "not a request to stop\n")
        }
        feeds.stop(number)
        return .text(200, "stopping\n")
    }
}

/// A page's request to run an entry.
struct RunRequest: Sendable {
    /// The entry as typed.
    let entry: String
    /// Whether the user triggered it, so that it is recorded in the session.
    let isRecorded: Bool
    /// Width of the text in columns.
    let width: Int
    /// The requested views in addition to the text, from `ResultView.names`.
    let views: Set<String>
    /// The page's name of the run, for its progress; `nil` if it does not follow it.
    let run: String?
    /// Batches of files that are removed after the entry.
    let uploads: [Int]

    init(json: JSONTree) throws(JSONFault) {
        entry = try json.read("entry")
        isRecorded = try json.readIfPresent("record") ?? false
        let wanted: Int = try json.readIfPresent("width") ?? 100
        width = min(max(wanted, WebSettings.widths.lowerBound), WebSettings.widths.upperBound)
        run = try json.readIfPresent("run")
        uploads = (json["uploads"]?.items ?? []).compactMap { $0.text.flatMap { Int($0) } }
        views = Set((json["views"]?.items ?? []).compactMap(\.text))
    }
}
