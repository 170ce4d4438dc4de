import { describe, expect, it } from "vitest";
import { metricDirection } from "./direction.ts";

const told = (names: string): (boolean | undefined)[] => names.split(/\s+/).map(metricDirection);
const all = (names: string, direction: boolean | undefined): void => {
  for (const name of names.split(/\s+/)) expect([name, metricDirection(name)]).toEqual([name, direction]);
};

describe("the direction of a score by its name", () => {
  it("more is better", () => {
    all("accuracy acc val_acc f1 macro_f1 F1Score exact_match exact_match,none acc_norm,none em dev_em", true);
    all(
      "bleu BLEU sacreBLEU chrF chrF++ chrf2 rougeL rouge1 ROUGE-L bertscore BERTScore COMET-22 BLEUScore mAP ndcg@10",
      true,
    );
    all(
      "correct is_correct n_correct gpt_correct passed pass@1 success success_rate win_rate winRate solved resolved",
      true,
    );
    all(
      "helpfulness fluency adequacy coherence faithfulness safe is_safe safety_score truthful groundedness harmless",
      true,
    );
    all(
      "score rating points scores.f1 true_positive_rate tpr specificity log_likelihood similarity kappa reward",
      true,
    );
    all("tokens_per_second requests_per_minute throughput length_controlled_win_rate rank_correlation", true);
  });

  it("less is better", () => {
    all(
      "hallucinated hallucination is_hallucination hallucination_rate halluc toxicity toxicity_score toxic is_toxic",
      false,
    );
    all(
      "failed failure_rate unsafe is_unsafe ece fpr fnr false_positive_rate edit_distance editDistance levenshtein",
      false,
    );
    all(
      "negative_log_likelihood nll neg_log_likelihood neg_logprob bits_per_byte bits_per_token perplexity ppl word_perplexity",
      false,
    );
    all(
      "loss val_loss error num_errors n_errors errorRate error_rate errors errorrate err wer WER cer ter TER mer brier",
      false,
    );
    all(
      "latency p95_latency_ms latencyMs time_s response_time seconds duration runtime seconds_per_item ms_per_token cost cost_usd",
      false,
    );
    all(
      "rmse MAE mean_squared_error calibration_error incorrect wrong invalid inaccurate unhelpful incoherent irrelevant mismatch",
      false,
    );
    all(
      "unfaithful untruthful dissimilarity violations contradiction_rate harmful over_refusal metricx regret losses",
      false,
    );
    all("errors_per_word word_error_rate mean_absolute_error bugs crashes timeout_rate stereotype", false);
  });

  it("negations turn a name around", () => {
    all(
      "no_error no_errors error_free errorfree without_errors non_toxic nontoxic not_toxic no_hallucination hallucination_free",
      true,
    );
    all("neg_mean_squared_error neg_loss neg_rmse", true);
    all("not_correct no_match non_compliant_error low_quality lack_of_coherence", false);
  });

  it("a fall of what is good is bad, a fall of what is bad is good", () => {
    all("accuracy_drop accuracy_loss f1_loss bleu_decrease performance_drop error_increase accuracy_error", false);
    all(
      "error_reduction latency_reduction toxicity_reduction accuracy_gain error_improvement accuracy_increase improvement",
      true,
    );
  });

  it("cost_saved and time_saved were called lower-is-better", () => {
    all("cost_saved time_saved cost_savings cost_saving time_reduced cost_avoided error_reductions", true);
    all("saved_time saved_cost avoided_cost reduced_latency cost_saved_usd time_saved_ms latency_reduction_ms", true);
    all("saved savings tokens_saved reduced_accuracy", undefined);
    all("cost time latency_ms accuracy_reduction", false);
  });

  it("a measure of finding what is bad is good", () => {
    all(
      "toxicity_detection_accuracy hallucination_f1 error_recall hallucination_detection_rate bugs_fixed error_correction_rate",
      true,
    );
  });

  it("names that mean either are left open", () => {
    all(
      "length drop response_length tokens num_tokens words refusal refusal_rate refused non_refusal abstained compliance",
      undefined,
    );
    all(
      "score_diff accuracy_diff delta accuracy_std error_std standard_error stderr ratio gap win_loss bias bias_score",
      undefined,
    );
    all(
      "value result output x y grade label latent rank mean_rank mqm entropy attack_success_rate jailbreak diversity",
      undefined,
    );
    all(
      "correct_refusal accuracy_toxic no_score temperature harmonic information validation understanding termination",
      undefined,
    );
    all("sentiment negative_sentiment positive negative coverage quantity", undefined);
  });

  it("a count of errors was left open, as a count of anything", () => {
    all("error_count errorCount bug_count incorrect_count mistakes_count", false);
    all("correct_count pass_count", true);
    all("count score_count rating_count token_count", undefined);
  });

  it("what is spent until a goal is reached is to be small, the time to a failure is not", () => {
    all("steps_to_solve time_to_complete time_to_first_token turns_to_success attempts_to_pass", false);
    all("mean_time_to_failure text_to_speech_quality_diff", undefined);
  });

  it("measures of speech, retrieval, parsing, clustering and costs by their usual names", () => {
    all(
      "STOI PESQ UTMOS SI-SDR P@5 R@10 AR@100 RBP LAS uas NMI v_measure silhouette kendall_tau R² cos_sim edit_sim",
      true,
    );
    all(
      "tokens/s tok_per_sec thumbs_up instruction_following goal_reached compiles supported explained_variance",
      true,
    );
    all(
      "hamming logloss log_loss wasserstein chamfer mpjpe ADE gpu_hours co2_kg retries timed_out fabrication_rate",
      false,
    );
    all("unsupported_claims unfairness collision_rate misclassified frustration optimality_gap disparity", false);
  });

  it("scores of a mood or a degree, and measures of what is to be avoided, were called better", () => {
    all("self_bleu membership_inference_auc sentiment_score readability_grade anger_score difficulty_score", undefined);
    all("sentiment_accuracy emotion_f1", true);
  });

  it("the success of an attack, or of something harmful, was called better", () => {
    all(
      "jailbreak_success_rate prompt_injection_success exploit_success_rate backdoor_success_rate redteam_score",
      undefined,
    );
    all(
      "harmful_success_rate phishing_success adversarial_success_rate reward_hack_success sabotage_success",
      undefined,
    );
    all("adversarial_accuracy jailbreak_detection_f1 task_success_rate length_controlled_win_rate mean_reward", true);
    all("reward_hacking_rate misaligned memorization_rate", false);
  });

  it("a rate at another rate took the direction of the second", () => {
    all("fpr@tpr95 fpr_at_95_tpr error_at_recall_95 FPR@95", false);
    all("tpr@fpr1 tpr@1%fpr recall@fpr0.1 recall_at_precision_90 pass@1 ndcg@10 look_at_quality", true);
  });

  it("issues, violations and risks of what is good were called better, or left open", () => {
    all("quality_issues fluency_issues safety_concerns safety_incidents safety_violations safety_risk", false);
    all(
      "factual_inconsistency fairness_violation adequacy_problems rate_limit_hits limit_hit false_accept_rate",
      false,
    );
    all("safety_issues_fixed problems_solved issues_resolved", true);
    all("success_failure brevity_penalty", undefined);
  });

  it("what was detected or found may be the system's own: nothing is asserted", () => {
    all("hallucination_detected toxicity_detected bugs_found vulnerabilities_found hallucination_detection", undefined);
    all("errors_corrected errors_fixed hallucination_detection_f1", true);
  });

  it("a score of something that nobody knows was called better", () => {
    all(
      "sarcasm_score burnout_score opponent_score ai_generated_score phq9_score overall_sarcasm urgency_rating",
      undefined,
    );
    all(
      "final_score total_score judge_score gpt4_score mmlu_score task1_score math_score mean_rating quality_score",
      true,
    );
  });

  it("an inverted measure kept its direction, and a rating of a cost took the cost's", () => {
    all("1-wer inverse_wer -loss one_minus_wer 100-CER zero_errors mean_time_between_failures error_resilience", true);
    all("1-accuracy WER 1-best_wer", false);
    all("inverted_loss toxicity_score_inverted latency_score cost_rating error_correlation time_on_task", undefined);
    all("cost_effectiveness uptime HR@10 qwk 召回率 通过率 taxa_de_acerto", true);
    all("失败率 spam_score instability_score rudeness co2e edit_dist", false);
    all("malware_success_rate weapon_quality_score opponent_win_rate", undefined);
  });

  it("parts of a name that say nothing do not matter", () => {
    expect(
      told("no_context_accuracy free_form_accuracy non_english_wer zero_shot_acc ms_marco_mrr harmonic_mean_f1"),
    ).toEqual([true, true, false, true, true, true]);
  });

  it("of names in other languages was left open", () => {
    const better =
      "точность 정확도 doğruluk nauwkeurigheid noggrannhet dokładność exatidão 正確さ 准确度 качество 품질 kalite kwaliteit kvalitet jakość беглость akıcılık płynność успех 성공률 başarı sukces";
    const worse =
      "ошибка 오류율 hata_oranı fouten felfrekvens błędy エラー 误差 потери 손실 kayıp verlies förlust perda токсичность 독성 toxiciteit toksyczność tossicità галлюцинации 환각 halüsinasyon alucinações задержка 지연시간 gecikme latens opóźnienie стоимость 비용 maliyet koszt неудача 실패율 falha 失敗 частота_ошибок";
    expect(better.split(" ").filter((name) => metricDirection(name) !== true)).toEqual([]);
    expect(worse.split(" ").filter((name) => metricDirection(name) !== false)).toEqual([]);
    // what means something else in English, and what is open in any language
    expect(["strata", "tempo", "отказ", "拒绝率"].map(metricDirection)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
