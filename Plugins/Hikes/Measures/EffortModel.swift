import Foundation

/// The energy cost of walking and running on a slope: Minetti et al. 2002, J. Appl. Physiol. 93: 1039–1046,
/// in joules per kilogram and metre, measured between −45 % and +45 %.
enum EffortModel {
    case walking
    case running

    /// The model of an activity; hikes use walking.
    init(activity: String?) { self = activity?.lowercased() == "running" ? .running : .walking }

    /// Joules per kilogram and metre at a slope (0.1 is 10 % up); steeper ones count as 45 %.
    func cost(slope: Double) -> Double {
        let i = min(0.45, max(-0.45, slope))
        let terms: [Double] =
            switch self {
            case .walking: [2.5, 19.6, 51.9, -76.8, -58.7, 280.5]
            case .running: [3.6, 19.5, 46.3, -43.3, -30.4, 155.4]
            }
        return terms.reversed().reduce(0) { $0 * i + $1 }
    }

    /// Metres on flat ground with the same cost as these metres on the slope.
    func flatDistance(_ metres: Double, slope: Double) -> Double {
        metres * cost(slope: slope) / cost(slope: 0)
    }
}
