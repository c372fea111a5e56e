/* Reads map features. A part of reader.cpp, whose helpers it uses. */
#ifndef COSMIUM_MAP_HPP
#define COSMIUM_MAP_HPP

#include <osmium/area/assembler.hpp>
#include <osmium/osm/area.hpp>
#include <osmium/relations/relations_manager.hpp>

#include <array>
#include <cstring>
#include <map>

namespace {

/// Collects the parts of a feature and passes it on.
struct FeatureSink {
    const cosm_map_keys &keys;
    cosm_take_feature take;
    void *context;
    KeyIndexes indexes;
    std::vector<const char *> values;
    std::vector<size_t> first_point;
    std::vector<int32_t> points;
    /// The values that define a class, concatenated.
    TextStore classes;
    std::string class_text;

    FeatureSink(const cosm_map_keys &keys, cosm_take_feature take, void *context)
        : keys(keys), take(take), context(context), indexes(keys.keys, keys.key_count) {
        // An object without points needs an entry, too.
        points.reserve(1 << 10);
    }

    bool is_wanted(const osmium::TagList &tags) const {
        return std::any_of(tags.begin(), tags.end(), [&](const osmium::Tag &tag) {
            const auto index = indexes.of(tag.key());
            return index >= 0 && static_cast<size_t>(index) < keys.mark_count;
        });
    }

    /// Whether two objects have the same values of all keys that are read.
    bool are_alike(const osmium::TagList &left, const osmium::TagList &right) const {
        const auto has_all = [&](const osmium::TagList &tags, const osmium::TagList &other) {
            return std::all_of(tags.begin(), tags.end(), [&](const osmium::Tag &tag) {
                return indexes.of(tag.key()) < 0 || other.has_tag(tag.key(), tag.value());
            });
        };
        return has_all(left, right) && has_all(right, left);
    }

    /// The number of the class with these values and this level.
    int32_t feature_class(int admin_level) {
        class_text.clear();
        for (size_t key = 0; key < keys.class_count; ++key) {
            if (!values[key]) continue;
            class_text.push_back(static_cast<char>(key + 1));
            class_text += values[key];
            class_text.push_back('\0');
        }
        class_text += std::to_string(admin_level);
        return classes.text(class_text.data(), class_text.size());
    }

    void begin() {
        first_point.assign(1, 0);
        points.clear();
    }

    void point(osmium::Location location) {
        points.push_back(location.y());
        points.push_back(location.x());
    }

    /// Ends a part; one with fewer points than `least` is dropped.
    void end_part(size_t least) {
        if (points.size() / 2 - first_point.back() < least) {
            points.resize(first_point.back() * 2);
        } else {
            first_point.push_back(points.size() / 2);
        }
    }

    void give(
        int type, int64_t id, const osmium::TagList &tags, int admin_level, bool is_closed, bool is_broken,
        bool repeats_tags = false) {
        values.assign(keys.key_count, nullptr);
        for (const auto &tag : tags) {
            const auto index = indexes.of(tag.key());
            if (index >= 0 && !values[static_cast<size_t>(index)]) values[static_cast<size_t>(index)] = tag.value();
        }
        const cosm_map_feature feature{
            type, id, values.data(), feature_class(admin_level), admin_level, is_closed, is_broken, repeats_tags, first_point.size() - 1,
            first_point.data(), points.data()};
        if (take(context, &feature) != 0) throw Stopped{};
    }
};

/// Assembles multipolygons from their ways.
class MultipolygonReader : public osmium::relations::RelationsManager<MultipolygonReader, false, true, false, false> {
    FeatureSink &sink;
    std::unordered_map<int64_t, int> admin_levels;

    static bool has_type(const osmium::Relation &relation, const char *type) {
        return relation.tags().has_tag("type", type);
    }

    /// Whether a relation is a multipolygon without tags of its own: the old way of mapping, with the tags on the outer ways.
    static bool is_untagged(const osmium::Relation &relation) {
        static constexpr std::array notes{"type", "created_by", "source", "note", "fixme"};
        return has_type(relation, "multipolygon") &&
            std::all_of(relation.tags().begin(), relation.tags().end(), [](const osmium::Tag &tag) {
                return std::any_of(notes.begin(), notes.end(), [&](const char *key) { return !std::strcmp(key, tag.key()); });
            });
    }

    /// The tags of an area: those of the relation, or without any the ones that all its outer ways have; none if these differ.
    const osmium::TagList *area_tags(const osmium::Relation &relation) {
        if (sink.is_wanted(relation.tags())) return &relation.tags();
        const osmium::TagList *found = nullptr;
        for (const auto &member : relation.members()) {
            if (member.ref() == 0 || !std::strcmp(member.role(), "inner")) continue;
            const auto *way = get_member_way(member.ref());
            if (!way) continue;
            if (!found) found = &way->tags();
            if (!sink.is_wanted(way->tags()) || !sink.are_alike(*found, way->tags())) return nullptr;
        }
        return found;
    }

    /// Whether holes of an area that has the tags of its outer ways are tagged like it: before 2012 that marked what a hole
    /// belongs to, not what is in it.
    bool repeats_tags(const osmium::Relation &relation, const osmium::TagList &tags) {
        if (&tags == &relation.tags()) return false;
        return std::any_of(relation.members().begin(), relation.members().end(), [&](const auto &member) {
            if (member.ref() == 0 || std::strcmp(member.role(), "inner")) return false;
            const auto *way = get_member_way(member.ref());
            return way && sink.is_wanted(way->tags()) && sink.are_alike(way->tags(), tags);
        });
    }

    void give(const osmium::Relation &relation, const std::vector<const osmium::Way *> &ways, bool is_complete) {
        const auto *tags = area_tags(relation);
        if (!tags) return;
        const bool is_old = repeats_tags(relation, *tags);
        if (!is_complete || !give_assembled(relation, *tags, ways, is_old)) give_closed(relation, *tags, ways, is_old);
    }

    /// The closed rings that ways form end to end.
    void give_closed(
        const osmium::Relation &relation, const osmium::TagList &tags, const std::vector<const osmium::Way *> &ways,
        bool repeats_tags) {
        std::multimap<int64_t, size_t> ends;
        std::vector<std::vector<osmium::NodeRef>> pieces;
        for (const auto *way : ways) {
            std::vector<osmium::NodeRef> piece;
            const auto close = [&] {
                if (piece.size() > 1) pieces.push_back(piece);
                piece.clear();
            };
            for (const auto &node : way->nodes()) {
                if (node.location().valid()) piece.push_back(node); else close();
            }
            close();
        }
        for (size_t index = 0; index < pieces.size(); ++index) {
            ends.emplace(pieces[index].front().ref(), index);
            ends.emplace(pieces[index].back().ref(), index);
        }
        std::vector<bool> used(pieces.size());
        sink.begin();
        for (size_t start = 0; start < pieces.size(); ++start) {
            if (used[start]) continue;
            used[start] = true;
            auto ring = pieces[start];
            bool is_turned = false;
            while (ring.front().ref() != ring.back().ref()) {
                const auto range = ends.equal_range(ring.back().ref());
                const auto next = std::find_if(
                    range.first, range.second, [&](const auto &entry) { return !used[entry.second]; });
                if (next == range.second) {
                    // What precedes the first piece.
                    if (is_turned) break;
                    is_turned = true;
                    std::reverse(ring.begin(), ring.end());
                    continue;
                }
                used[next->second] = true;
                auto piece = pieces[next->second];
                if (piece.front().ref() != ring.back().ref()) std::reverse(piece.begin(), piece.end());
                ring.insert(ring.end(), piece.begin() + 1, piece.end());
            }
            for (const auto &node : ring) sink.point(node.location());
            // An open one may close along the edge of the extract.
            sink.end_part(ring.front().ref() == ring.back().ref() ? 4 : 2);
        }
        sink.give(2, relation.id(), tags, 0, true, true, repeats_tags);
    }

    bool give_assembled(
        const osmium::Relation &relation, const osmium::TagList &tags, const std::vector<const osmium::Way *> &ways,
        bool repeats_tags) {
        osmium::area::AssemblerConfig config;
        config.create_empty_areas = false;
        config.ignore_invalid_locations = false;
        osmium::memory::Buffer buffer{1 << 16, osmium::memory::Buffer::auto_grow::yes};
        try {
            osmium::area::Assembler assembler{config};
            if (!assembler(relation, ways, buffer)) return false;
        } catch (const osmium::invalid_location &) {
            return false;
        }
        bool is_given = false;
        for (const auto &area : buffer.select<osmium::Area>()) {
            sink.begin();
            const auto ring = [&](const osmium::NodeRefList &nodes) {
                for (const auto &node : nodes) sink.point(node.location());
                sink.end_part(4);
            };
            for (const auto &outer : area.outer_rings()) {
                ring(outer);
                for (const auto &inner : area.inner_rings(outer)) ring(inner);
            }
            if (sink.first_point.size() < 2) continue;
            sink.give(2, relation.id(), tags, 0, true, false, repeats_tags);
            is_given = true;
        }
        return is_given;
    }

public:
    explicit MultipolygonReader(FeatureSink &sink) : sink(sink) {}

    bool new_relation(const osmium::Relation &relation) {
        if (has_type(relation, "boundary") && relation.tags().has_tag("boundary", "administrative")) {
            const char *text = relation.tags().get_value_by_key("admin_level", "");
            const int level = std::atoi(text);
            if (level <= 0) return false;
            for (const auto &member : relation.members()) {
                if (member.type() != osmium::item_type::way) continue;
                auto &known = admin_levels[member.ref()];
                known = known == 0 ? level : std::min(known, level);
            }
            return false;
        }
        if (!has_type(relation, "multipolygon") && !has_type(relation, "boundary")) return false;
        if (!sink.is_wanted(relation.tags()) && !is_untagged(relation)) return false;
        return std::any_of(relation.members().begin(), relation.members().end(), [](const auto &member) {
            return member.type() == osmium::item_type::way;
        });
    }

    void complete_relation(const osmium::Relation &relation) {
        std::vector<const osmium::Way *> ways;
        for (const auto &member : relation.members()) {
            if (member.ref() != 0) ways.push_back(get_member_way(member.ref()));
        }
        give(relation, ways, true);
    }

    /// Relations with missing members: some of their rings may still close. `look` throws to stop.
    template <typename Look>
    void finish(Look &&look) {
        for_each_incomplete_relation([&](const osmium::relations::RelationHandle &handle) {
            look();
            std::vector<const osmium::Way *> ways;
            for (const auto &member : handle->members()) {
                if (member.ref() == 0) continue;
                if (const auto *way = get_member_way(member.ref())) ways.push_back(way);
            }
            give(*handle, ways, false);
        });
    }

    int admin_level(int64_t way) const {
        const auto found = admin_levels.find(way);
        return found == admin_levels.end() ? 0 : found->second;
    }
};

/// The locations of nodes. Those of a country are most of the memory, so only the lower half of each id is stored, in
/// runs with the same upper half. Files are usually sorted, and the nodes of a way are near each other in them; nodes out of
/// order are stored separately.
class NodeLocations {
    struct Entry {
        uint32_t id;
        int32_t x, y;
    };
    struct Run {
        int64_t upper;
        size_t start;
    };
    struct Stray {
        int64_t id;
        osmium::Location location;

        bool operator<(const Stray &other) const {
            return id < other.id || (id == other.id && location < other.location);
        }
    };

    Growing<Entry> entries;
    std::vector<Run> runs;
    int64_t greatest = INT64_MIN;
    Growing<Stray> strays;
    bool are_strays_sorted = true;
    /// The index of the last node found.
    size_t last = 0;

    /// The run of an id, as a range of entries; empty if there is none.
    std::pair<size_t, size_t> run(int64_t id) const {
        const auto found = std::lower_bound(
            runs.begin(), runs.end(), id >> 32, [](const Run &run, int64_t upper) { return run.upper < upper; });
        if (found == runs.end() || found->upper != id >> 32) return {0, 0};
        return {found->start, found + 1 == runs.end() ? entries.size() : (found + 1)->start};
    }

    /// The entry of an id in a run, by galloping search from the last; `high` if there is none.
    size_t find(uint32_t id, size_t low, size_t high) const {
        const auto *all = entries.data();
        const size_t end = high;
        // Most nodes of a way follow each other, since they were created together.
        if (low <= last && last + 1 < high && all[last + 1].id == id) return last + 1;
        if (low <= last && last < high) {
            size_t step = 1;
            if (all[last].id < id) {
                low = last + 1;
                while (low + step < high && all[low + step].id < id) {
                    low += step;
                    step *= 2;
                }
                high = std::min(high, low + step + 1);
            } else {
                const size_t start = low;
                high = last + 1;
                while (start + step < high && all[high - 1 - step].id >= id) {
                    high -= step;
                    step *= 2;
                }
                low = start + step < high ? high - 1 - step : start;
            }
        }
        const auto *found = std::lower_bound(
            all + low, all + high, id, [](const Entry &entry, uint32_t wanted) { return entry.id < wanted; });
        const auto index = static_cast<size_t>(found - all);
        return index < end && all[index].id == id ? index : end;
    }

    osmium::Location stray(int64_t id) {
        if (!are_strays_sorted) {
            strays.sort();
            are_strays_sorted = true;
        }
        const auto *end = strays.data() + strays.size();
        const auto *found = std::lower_bound(
            strays.data(), end, id, [](const Stray &stray, int64_t wanted) { return stray.id < wanted; });
        return found != end && found->id == id ? found->location : osmium::Location{};
    }

public:
    void set(int64_t id, osmium::Location location) {
        if (!location.valid()) return;
        if (id <= greatest) {
            strays.push_back({id, location});
            are_strays_sorted = false;
            return;
        }
        greatest = id;
        if (runs.empty() || runs.back().upper != id >> 32) runs.push_back({id >> 32, entries.size()});
        entries.push_back({static_cast<uint32_t>(id), location.x(), location.y()});
    }

    void fill(osmium::Way &way) {
        for (auto &node : way.nodes()) {
            if (node.location().valid()) continue;
            const auto [low, high] = run(node.ref());
            const size_t found = find(static_cast<uint32_t>(node.ref()), low, high);
            if (found != high) {
                last = found;
                const auto &entry = entries.data()[found];
                node.set_location(osmium::Location{entry.x, entry.y});
            } else if (strays.size() > 0) {
                node.set_location(stray(node.ref()));
            }
        }
    }
};

void give(const osmium::Way &way, int admin_level, FeatureSink &sink) {
    if (admin_level == 0 && !sink.is_wanted(way.tags())) return;
    sink.begin();
    bool is_broken = false;
    for (const auto &node : way.nodes()) {
        if (node.location().valid()) {
            sink.point(node.location());
        } else {
            is_broken = true;
            sink.end_part(2);
        }
    }
    sink.end_part(2);
    // Of a way with missing nodes the ids tell whether it is a ring.
    const bool is_closed =
        way.nodes().size() > 3 && (is_broken ? way.ends_have_same_id() : way.ends_have_same_location());
    sink.give(1, way.id(), way.tags(), admin_level, is_closed, is_broken);
}

}  // namespace

extern "C" cosm_result cosm_read_map(
    cosm_file *file, const cosm_map_keys *keys, cosm_progress progress, void *progress_context,
    cosm_take_feature take, void *take_context) {
    try {
        FeatureSink sink{*keys, take, take_context};
        MultipolygonReader areas{sink};
        const auto take_relation = [&](const auto &item) {
            if (item.type() == osmium::item_type::relation) areas.relation(static_cast<const osmium::Relation &>(item));
        };
        auto result = read(
            file, osmium::osm_entity_bits::relation, progress, progress_context, take_relation,
            [](int64_t, osmium::Location) {});
        if (result.status != cosm_ok) return result;
        areas.prepare_for_lookup();
        NodeLocations locations;
        const auto bits = osmium::osm_entity_bits::node | osmium::osm_entity_bits::way;
        const auto take_item = [&](auto &item) {
            if (item.type() == osmium::item_type::node) {
                const auto &node = static_cast<const osmium::Node &>(item);
                locations.set(node.id(), node.location());
                if (!node.location().valid() || !sink.is_wanted(node.tags())) return;
                sink.begin();
                sink.point(node.location());
                sink.end_part(1);
                sink.give(0, node.id(), node.tags(), 0, false, false);
            } else if (item.type() == osmium::item_type::way) {
                auto &way = static_cast<osmium::Way &>(item);
                locations.fill(way);
                give(way, areas.admin_level(way.id()), sink);
                areas.handle_way(way);
            }
        };
        const auto place_node = [&](int64_t id, osmium::Location location) { locations.set(id, location); };
        result = read(file, bits, progress, progress_context, take_item, place_node);
        if (result.status != cosm_ok) return result;
        areas.finish([&] {
            if (progress && progress(progress_context, result.offset, result.offset) != 0) throw Stopped{};
        });
        return result;
    } catch (const Stopped &) {
        return failure(cosm_stopped, "", 0);
    } catch (const std::bad_alloc &) {
        return failure(cosm_memory, "out of memory", 0);
    } catch (const std::exception &error) {
        return failure(cosm_damaged, error.what(), 0);
    }
}

#endif
