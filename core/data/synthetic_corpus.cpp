#include "core/data/synthetic_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/random.h"
#include "core/data/story_words.h"

namespace sextant {
namespace {

using namespace story;

struct Person {
    std::string name, trade, kinship;
    bool she = false;
    std::size_t home = 0, at = 0;
};
struct Thing {
    std::string look, noun;
    std::size_t owner = 0;
};
struct Tally {
    std::string number, goods;
    std::size_t place = 0;
};

template <typename Make>
auto distinct(std::size_t count, Make make) {
    std::vector<decltype(make())> items;
    while (items.size() < count) {
        auto item = make();
        if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
    }
    return items;
}

// Tells one story: keeps the state of the world, so that what is said later follows from what was said before.
class Teller {
  public:
    explicit Teller(std::uint64_t seed) : random_(seed) {}

    Story tell() {
        set_scene();
        const std::size_t paragraphs = 3 + random_.below(8);
        for (std::size_t p = 0; p < paragraphs; ++p) {
            end_paragraph();
            if (p == 0) {
                introduce();
                continue;
            }
            dated_ = chance(60);
            if (dated_) begin(capitalized(any(times())) + ", ");
            for (std::size_t s = 4 + random_.below(6); s > 0; --s)
                event();
        }
        end_paragraph();
        close();
        while (!story_.text.empty() && (story_.text.back() == ' ' || story_.text.back() == '\n'))
            story_.text.pop_back();
        return std::move(story_);
    }

  private:
    // --- choosing
    std::size_t below(std::size_t bound) { return random_.below(static_cast<std::uint32_t>(bound)); }
    bool chance(std::uint32_t percent) { return random_.below(100) < percent; }
    const std::string& any(const Words& words) { return pick(random_, words); }
    std::size_t other_than(std::size_t index, std::size_t count) { return (index + 1 + below(count - 1)) % count; }

    // --- writing
    void say(std::string_view text) {
        if (!capital_ || text.empty()) {
            story_.text += text;
            return;
        }
        const std::size_t quote = text.front() == '"' ? 1 : 0;
        story_.text += text.substr(0, quote);
        story_.text += capitalized(std::string(text.substr(quote)));
        capital_ = text.size() == quote;
    }
    void begin(const std::string& text) {
        story_.text += text;
        capital_ = false;
    }
    // Names are noted, so that the distances between mentions can be measured.
    void mention(const std::string& text) {
        const std::size_t here = story_.text.size();
        const auto [last, first_time] = mentions_.try_emplace(text, here);
        if (!first_time) {
            story_.references.push_back({last->second, here, text.size()});
            last->second = here;
        }
        story_.text += text;
        capital_ = false;
    }
    void end_paragraph() {
        while (!story_.text.empty() && story_.text.back() == ' ')
            story_.text.pop_back();
        if (!story_.text.empty()) story_.text += '\n';
        capital_ = true;
    }
    void stop(std::string_view mark = ". ") {
        story_.text += mark;
        capital_ = true;
        dated_ = false;
    }
    // Slots: A B people, P place, T thing of index, N number, G goods, W word; the rest is copied.
    void write(std::string_view form) {
        for (std::size_t i = 0; i < form.size(); ++i) {
            if (form[i] != '{') {
                const std::size_t end = std::min(form.find('{', i), form.size());
                say(form.substr(i, end - i));
                i = end - 1;
                continue;
            }
            const std::size_t end = form.find('}', i);
            slot(form.substr(i + 1, end - i - 1));
            i = end;
        }
    }
    void slot(std::string_view name) {
        if (name == "A") return mention(people_[a_].name);
        if (name == "B") return mention(people_[b_].name);
        if (name == "she") return say(people_[a_].she ? "she" : "he");
        if (name == "her") return say(people_[a_].she ? "her" : "his");
        if (name == "P") return mention(places_[p_]);
        if (name == "Q") return mention(places_[q_]);
        if (name == "T") return mention(things_[t_].look + " " + things_[t_].noun);
        if (name == "thing") return say(things_[t_].noun);
        if (name == "N") return mention(tallies_[n_].number + " " + tallies_[n_].goods);
        if (name == "W") return mention(word_);
        if (name == "trade") return say(people_[a_].trade);
        if (name == "quality") return say(any(qualities()));
        if (name == "scene") return say(any(scenery()));
        if (name == "a view") return say(with_article(any(qualities()) + " " + any(scenery())));
        if (name == "the view") return say("the " + any(qualities()) + " " + any(scenery()));
        if (name == "a creature") return say(with_article(any(creatures())));
        if (name == "creature") return say(any(creatures()));
        if (name == "motion") return say(any(motions()));
        if (name == "relation") return say(any(relations()));
        if (name == "mood") return say(any(moods()));
        if (name == "manner") return say(any(manners()));
        if (name == "time") return say(any(times()));
        if (name == "weather") return say(any(weathers()));
        if (name == "reason") return say(any(reasons()));
        if (name == "kin") return say(any(kin()));
    }
    void write_one(std::initializer_list<std::string_view> forms) { write(forms.begin()[below(forms.size())]); }

    // --- the world
    void set_scene() {
        places_ = distinct(3 + below(2), [&] { return place_name(random_); });
        const auto names = distinct(3 + below(3), [&] { return person_name(random_); });
        for (const std::string& name : names) {
            Person person;
            person.name = name;
            person.trade = any(trades());
            person.she = chance(50);
            person.home = person.at = below(places_.size());
            people_.push_back(person);
        }
        const auto nouns = distinct(people_.size(), [&] { return any(things()); });
        for (std::size_t i = 0; i < nouns.size(); ++i)
            things_.push_back({any(looks()), nouns[i], i});
        for (const std::string& kind : distinct(2, [&] { return any(goods()); }))
            tallies_.push_back({any(numbers()), kind, below(places_.size())});
        word_ = secret_word(random_);
        door_ = below(places_.size());
        t_ = below(things_.size());
        p_ = door_;
        write_one({"the {T} of {P}", "the {T}", "how the {T} came to {P}", "a story of {P}"});
    }

    void introduce() {
        for (a_ = 0; a_ < people_.size(); ++a_) {
            p_ = people_[a_].home;
            t_ = a_;
            write_one({"{A} was a {trade} and lived in {P}", "in {P} there lived a {trade} named {A}",
                       "{A} the {trade} had a house in {P}",
                       "there was once a {trade} in {P}, and {her} name was {A}"});
            stop();
            write_one({"{she} had a {T}", "{she} always carried a {T}", "the {T} belonged to {A}",
                       "{her} {kin} had given {A} a {T}"});
            stop();
            if (chance(40)) scenery_sentence();
        }
        p_ = door_;
        write_one({"the word for the door in {P} was {W}", "only one word opened the door in {P}, and it was {W}"});
        stop();
        for (n_ = 0; n_ < tallies_.size(); ++n_) {
            p_ = tallies_[n_].place;
            write_one({"there were {N} in {P}", "in {P} somebody had counted {N}"});
            stop();
        }
    }

    void scenery_sentence() {
        write_one({"the {quality} {scene} {motion} {relation} {the view}",
                   "{a creature} {motion} {relation} {the view}", "{weather} came {relation} {the view}",
                   "a {creature} and {a creature} {motion} {relation} the {scene}",
                   "{relation} {the view} {motion} {a creature}", "there was {weather} {relation} the {scene}",
                   "the {creature} {motion} {relation} {a view}"});
        stop();
    }

    void event() {
        a_ = below(people_.size());
        b_ = other_than(a_, people_.size());
        Person& person = people_[a_];
        const std::size_t kind = below(100);
        if (kind < 16) {  // a walk: the place left is the place reached last
            q_ = person.at;
            p_ = other_than(q_, places_.size());
            person.at = p_;
            if (!dated_ && chance(33)) {
                write("{time} {A} walked from {Q} to {P}");
            } else {
                write_one({"{A} went {manner} from {Q} to {P}", "{A} left {Q} and came to {P}",
                           "{A} walked {manner} from {Q} to {P}", "from {Q} {A} went on to {P}"});
            }
            stop();
            if (chance(50)) {
                write_one({"{she} was {mood}, for {reason}", "{she} saw {a view} there",
                           "{she} rested {relation} {the view}"});
                stop();
            }
        } else if (kind < 34) {  // a gift: the thing changes hands
            t_ = below(things_.size());
            a_ = things_[t_].owner;
            b_ = other_than(a_, people_.size());
            things_[t_].owner = b_;
            write_one({"{A} gave the {T} to {B}", "{A} sold the {T} to {B}", "{A} lent {B} the {T}",
                       "{A} took the {T} and handed it to {B}"});
            stop();
            if (chance(60)) {
                std::swap(a_, b_);
                write_one({"now {A} had the {T}", "{she} thanked {B} and took it", "so the {thing} was with {A}"});
                stop();
            }
        } else if (kind < 50) {  // a question whose answer is the state of the world
            t_ = below(things_.size());
            const std::size_t owner = things_[t_].owner;
            a_ = other_than(owner, people_.size());
            write_one(
                {"\"who has the {T}?\" asked {A}. ", "{A} looked for the {T}. ", "\"where is the {T}?\" said {A}. "});
            capital_ = true;
            b_ = owner;
            write_one({"{B} had it", "it was {B} who had it", "\"{B} has the {thing},\" said somebody"});
            stop();
        } else if (kind < 58) {  // the secret word, told again
            p_ = door_;
            write_one({"{A} remembered that the word for the door in {P} was {W}",
                       "\"the word for the door in {P} is {W},\" said {A}",
                       "{A} went to the door in {P} and said {W}"});
            stop();
        } else if (kind < 66) {
            n_ = below(tallies_.size());
            p_ = tallies_[n_].place;
            write_one(
                {"{A} counted the {N} in {P}", "the {N} were still in {P}", "\"there are {N} in {P},\" said {A}"});
            stop();
        } else if (kind < 74) {
            p_ = person.home;
            write_one({"{A} the {trade} thought of {her} house in {P}", "as a {trade}, {A} was needed in {P}",
                       "{A} was {mood}, far from {her} door in {P}"});
            stop();
        } else if (kind < 80) {
            write_one({"{A} was {mood} because {reason}", "{A} and {B} were {mood}, for {reason}",
                       "{reason}, and {A} was {mood}", "{A} spoke {manner} with {B}, and {reason}"});
            stop();
        } else {
            scenery_sentence();
        }
    }

    void close() {
        for (t_ = 0; t_ < things_.size(); ++t_) {
            a_ = things_[t_].owner;
            write_one({"in the end {A} had the {T}", "the {T} stayed with {A}", "{A} kept the {T}"});
            stop();
        }
        a_ = below(people_.size());
        p_ = door_;
        write_one(
            {"and the word for the door in {P} was still {W}", "and {A} never told anyone that the word was {W}"});
        stop();
    }

    Random random_;
    Story story_;
    std::map<std::string, std::size_t, std::less<>> mentions_;
    std::vector<Person> people_;
    std::vector<std::string> places_;
    std::vector<Thing> things_;
    std::vector<Tally> tallies_;
    std::string word_;
    std::size_t door_ = 0;
    std::size_t a_ = 0, b_ = 0, p_ = 0, q_ = 0, t_ = 0, n_ = 0;  // what the slots stand for now
    bool capital_ = true;
    bool dated_ = false;  // this sentence has begun with a time
};

Random stream_of(std::uint64_t corpus_seed, std::string_view stream, std::int64_t index) {
    return Random(derive_seed(corpus_seed, fmt::format("stories/{}/{}", stream, index)));
}

}  // namespace

Story make_story(std::uint64_t corpus_seed, std::string_view split, std::int64_t index) {
    return Teller(derive_seed(corpus_seed, fmt::format("stories/{}/{}", split, index))).tell();
}

StoryFact make_story_fact(std::uint64_t corpus_seed, std::string_view stream, std::int64_t index) {
    Random random = stream_of(corpus_seed, fmt::format("fact {}", stream), index);
    StoryFact fact;
    fact.cue = fmt::format("The word for the door in {} was", place_name(random));
    fact.answer = fmt::format(" {}", secret_word(random));
    fact.statement = fact.cue + fact.answer + ".";
    return fact;
}

StoryQuestion make_story_question(std::uint64_t corpus_seed, std::string_view split, std::int64_t index) {
    Random random = stream_of(corpus_seed, fmt::format("question {}", split), index);
    const auto names = distinct(2, [&] { return person_name(random); });
    const auto places = distinct(2, [&] { return place_name(random); });
    const auto nouns = distinct(2, [&] { return pick(random, things()); });
    const auto work = distinct(2, [&] { return pick(random, trades()); });
    const std::uint32_t kind = random.below(3);
    std::array<std::string, 2> fact;
    std::array<std::string, 2> thing;
    for (std::size_t i = 0; i < 2; ++i) {
        thing[i] = pick(random, looks()) + " " + nouns[i];
        fact[i] = kind == 0   ? " has the " + thing[i] + "."
                  : kind == 1 ? " lives in " + places[i] + "."
                              : " is " + with_article(work[i]) + ".";
    }
    const std::size_t asked = random.below(2);
    StoryQuestion question;
    question.instruction = kind == 0   ? "Who has the " + thing[asked] + "?"
                           : kind == 1 ? "Where does " + names[asked] + " live?"
                                       : "What is " + names[asked] + "?";
    question.input = names[0] + fact[0] + " " + names[1] + fact[1];
    question.answer = names[asked] + fact[asked];
    question.wrong_answer = kind == 0 ? names[1 - asked] + fact[asked] : names[asked] + fact[1 - asked];
    return question;
}

}  // namespace sextant
